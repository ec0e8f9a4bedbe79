/** What only a person can say. A wake never answers it, and of two answers the first counts. */
import type { Question } from 'rouse/client/screen';
import { Icon } from '../../look/icon';
import { now, roughly } from '../../look/ago';
import { Clock } from '../clock';
import { harmless } from '../../look/harmless';
import { Markdown } from '../markdown/markdown';
import type { QuestionState, RowOf } from '../row';
import { Answering, choiceInWords } from './answering';

export const QuestionCard = ({ row: { entry, state, key } }: { readonly row: RowOf<'question'> }) => (
  <section class="question" data-state={state.kind}>
    <header class="row-head">
      <Icon name="hand" />
      <strong>{entry.about.kind === 'approval' ? 'The agent wants to run a command' : 'The agent asks you'}</strong>
      {state.kind === 'open' && entry.expiresAt !== undefined && (
        <span class="small soft">waits {roughly(entry.expiresAt - now.value)} more</span>
      )}
      <Clock at={entry.at} />
    </header>
    <Markdown text={entry.text} growing={false} name={key} />
    {entry.about.kind === 'approval' && <Asked about={entry.about} />}
    {state.kind === 'open' ? <Answering entry={entry} /> : <Answered state={state} entry={entry} />}
  </section>
);

/** An approval is for exactly this text, in this folder, at this place. */
const Asked = ({ about }: { readonly about: Extract<Question['about'], { kind: 'approval' }> }) => (
  <>
    <pre class="printed asked" tabIndex={0} aria-label="Command">
      {harmless(about.command)}
    </pre>
    <p class="small soft">
      in <code>{harmless(about.cwd)}</code> at <code>{harmless(about.place)}</code>
    </p>
  </>
);

function Answered({
  state,
  entry,
}: {
  readonly state: Exclude<QuestionState, { kind: 'open' }>;
  readonly entry: Question;
}) {
  switch (state.kind) {
    case 'answered':
      return (
        <p class="answered">
          <Icon name="tick" size={14} /> <span class="soft">Answered:</span>{' '}
          <strong>{choiceInWords(entry, state.text)}</strong>
        </p>
      );
    case 'timedOut':
      return <p class="answered soft">Nobody answered in time.</p>;
    case 'over':
      return <p class="answered soft">The turn ended before anybody answered.</p>;
  }
}
