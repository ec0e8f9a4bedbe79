/** A question to a person. A wake never answers it, and of two answers the first counts. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Question } from 'rouse/client/screen';
import type { QuestionView } from 'rouse/contract/message';
import { unhidden } from 'rouse/contract/display';
import { host, reasonOf } from '../../state/host';
import { Icon } from '../../look/icon';
import { now, roughly } from '../../look/ago';
import { Clock } from '../clock';
import { safeText } from '../../look/safe-text';
import { Markdown } from '../markdown/markdown';
import type { QuestionState, RowOf } from '../row';
import { AnswerForm, choiceInWords } from './answer-form';

export const QuestionCard = ({ row: { entry, state, key } }: { readonly row: RowOf<'question'> }) => (
  <section class="question" data-state={state.kind}>
    <header class="row-head">
      <Icon name="hand" />
      <strong>{entry.about.kind === 'approval' ? 'The agent wants to run a command' : 'The agent asks you'}</strong>
      {state.kind === 'open' && entry.expiresAt !== undefined && (
        <span class="small soft">expires in {roughly(entry.expiresAt - now.value)}</span>
      )}
      <Clock at={entry.at} />
    </header>
    {entry.about.kind === 'approval' ? (
      // The reason quotes an untrusted command, so it is never rendered as Markdown.
      <p class="reason">{safeText(entry.text)}</p>
    ) : (
      <Markdown text={entry.text} growing={false} name={key} />
    )}
    {state.kind !== 'open' && entry.about.kind === 'approval' && <Asked about={entry.about} />}
    {state.kind === 'open' ? <Open entry={entry} /> : <Answered state={state} entry={entry} />}
  </section>
);

const Open = ({ entry }: { readonly entry: Question }) =>
  entry.about.kind === 'approval' ? <Approving entry={entry} /> : <AnswerForm entry={entry} />;

/** The journal has only the redacted command, so load the exact one before offering buttons. */
function Approving({ entry }: { readonly entry: Question }) {
  const exact = useSignal<QuestionView['about'] | undefined>(undefined);
  const trouble = useSignal('');
  const load = async (): Promise<void> => {
    trouble.value = '';
    try {
      const asked = await host.questions(entry.session);
      exact.value = asked.find(({ question }) => question === entry.question)?.about;
    } catch (error) {
      trouble.value = reasonOf(error);
    }
  };
  useEffect(() => void load(), [entry.question]);
  if (exact.value?.kind === 'approval')
    return (
      <>
        <Asked about={exact.value} />
        <AnswerForm entry={entry} />
      </>
    );
  return trouble.value === '' ? (
    <p class="small soft">Fetching the exact command …</p>
  ) : (
    <p class="answered">
      The exact command could not be fetched: {trouble.value}{' '}
      <button class="button" onClick={() => void load()}>
        Try again
      </button>
    </p>
  );
}

/** An approval covers exactly this text, folder and place, so nothing is hidden or left out. */
const Asked = ({ about }: { readonly about: Extract<Question['about'], { kind: 'approval' }> }) => (
  <>
    <pre class="printed asked" tabIndex={0} aria-label="Command">
      {unhidden(about.command)}
    </pre>
    <p class="small soft">
      in <code>{unhidden(about.cwd)}</code> at <code>{unhidden(about.place)}</code>
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
      return <p class="answered soft">No answer in time.</p>;
    case 'over':
      return <p class="answered soft">The turn ended without an answer.</p>;
  }
}
