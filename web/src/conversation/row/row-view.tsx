import './row.css';
import { Component } from 'preact';
import { safeText } from '../../look/safe-text';
import type { Row } from '../row';
import { AgentText } from './agent-text';
import { CompactionRow, NoteRow } from './note-row';
import { PersonMessage } from './person-message';
import { QuestionCard } from './question-card';
import { ReasoningRow } from './reasoning-row';
import { ToolRow } from './tool-row';
import { TurnFooter } from './turn-footer';
import { WakeCard } from './wake-card';

type Shown = {
  readonly row: Row;
  readonly index: number;
  /** The number of rows; -1 if unknown. */
  readonly size: number;
  readonly measure: (element: HTMLElement | null) => void;
};

/** Renders again only when its row changes. */
export class RowView extends Component<Shown> {
  override shouldComponentUpdate(next: Shown): boolean {
    return next.row !== this.props.row || next.index !== this.props.index || next.size !== this.props.size;
  }

  override render({ row, index, size, measure }: Shown) {
    return (
      <article
        ref={measure}
        class="row"
        data-index={index}
        data-kind={row.kind}
        aria-label={nameOf(row)}
        aria-posinset={index + 1}
        aria-setsize={size}
      >
        <Inside row={row} />
      </article>
    );
  }
}

function Inside({ row }: { readonly row: Row }) {
  switch (row.kind) {
    case 'message':
      return <PersonMessage entry={row.entry} />;
    case 'text':
      return <AgentText row={row} />;
    case 'reasoning':
      return <ReasoningRow row={row} />;
    case 'tool':
      return <ToolRow row={row} />;
    case 'wake':
      return <WakeCard row={row} />;
    case 'question':
      return <QuestionCard row={row} />;
    case 'note':
      return <NoteRow row={row} />;
    case 'compaction':
      return <CompactionRow row={row} />;
    case 'turn':
      return <TurnFooter row={row} />;
  }
}

function nameOf(row: Row): string {
  switch (row.kind) {
    case 'message':
      return row.entry.from === 'person' ? 'You' : `Message from ${safeText(row.entry.from)}`;
    case 'text':
      return 'Agent';
    case 'reasoning':
      return 'Reasoning';
    case 'tool':
      return `Tool ${safeText(row.tool)}`;
    case 'wake':
      return row.entry.midTurn ? 'Delivered to the agent' : 'Woken';
    case 'question':
      return row.entry.about.kind === 'approval' ? 'Approval' : 'Question';
    case 'note':
      return 'Note';
    case 'compaction':
      return 'Summary of what came before';
    case 'turn':
      return 'Turn';
  }
}
