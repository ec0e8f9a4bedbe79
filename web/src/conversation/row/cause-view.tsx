import type { ProcessId } from 'rouse/contract/ids';
import type { WakeCause } from 'rouse/contract/journal';
import type { End } from 'rouse/contract/process';
import { called, endingOf, personLine, unsearchedInWords } from 'rouse/contract/cause-line';
import { durationInWords, endInWords, printable } from 'rouse/contract/display';
import { goToProcess } from '../../state/route';
import { Icon } from '../../look/icon';
import { safeText } from '../../look/safe-text';
import { Excerpt } from './excerpt';

type Of<Kind extends WakeCause['kind']> = Extract<WakeCause, { kind: Kind }>;

export const CauseView = ({ cause }: { readonly cause: WakeCause }) => (
  <li class="cause" data-kind={cause.kind} data-end={'end' in cause && cause.end ? toneOf(cause.end) : undefined}>
    <Inside cause={cause} />
  </li>
);

function Inside({ cause }: { readonly cause: WakeCause }) {
  switch (cause.kind) {
    case 'completion':
      return <Completion cause={cause} />;
    case 'watch_match':
      return <Match cause={cause} />;
    case 'watch_disabled':
    case 'watch_overflow_tripped':
    case 'watch_overflow_released':
      return (
        <div class="cause-line">
          <Icon name="bell" size={15} />
          <span class="grow">{personLine(cause)}</span>
          <ToProcess process={cause.process} />
        </div>
      );
    case 'message':
      return (
        <>
          <div class="cause-line">
            <Icon name="bell" size={15} />
            <span class="grow">
              Message from <strong>{safeText(cause.from)}</strong>
            </span>
          </div>
          <Excerpt text={cause.text} name={`${cause.notice} text`} label="Message" />
        </>
      );
  }
}

const Completion = ({ cause }: { readonly cause: Of<'completion'> }) => (
  <>
    <div class="cause-line">
      <Icon name={toneOf(cause.end) === 'good' ? 'tick' : 'cross'} size={15} />
      <Command cause={cause} />
      <Ended cause={cause} />
      <ToProcess process={cause.process} />
    </div>
    <Tail cause={cause} />
    <HeldBack count={cause.heldBack} />
    <Unsearched bytes={cause.unsearched} />
  </>
);

function Ended({ cause }: { readonly cause: WakeCause }) {
  const ending = endingOf(cause);
  if (!ending) return null;
  return (
    <>
      <span class={`badge ${toneOf(ending.end) === 'good' ? 'good' : 'trouble'}`}>{endInWords(ending.end)}</span>
      <span class="small soft">after {durationInWords(ending.endedAt - ending.startedAt)}</span>
    </>
  );
}

const Tail = ({ cause: { notice, output } }: { readonly cause: Of<'completion' | 'watch_match'> }) =>
  output && output.text !== '' ? (
    <Excerpt text={output.text} name={`${notice} output`} label="Output" cut={output.cut} />
  ) : null;

const Unsearched = ({ bytes }: { readonly bytes: number | undefined }) =>
  bytes === undefined ? null : <p class="small soft">Not scanned for patterns: {unsearchedInWords(bytes)}.</p>;

const Match = ({ cause }: { readonly cause: Of<'watch_match'> }) => (
  <>
    <div class="cause-line">
      <Icon name="search" size={15} />
      <Command cause={cause} />
      <span class="badge live pattern">
        printed <code class="one-line">{safeText(cause.pattern)}</code>
      </span>
      <Ended cause={cause} />
      <ToProcess process={cause.process} />
    </div>
    <Excerpt text={cause.text} name={`${cause.notice} line`} label="Matched line" />
    <Tail cause={cause} />
    <HeldBack count={cause.heldBack} />
    <Unsearched bytes={cause.unsearched} />
  </>
);

const Command = ({ cause }: { readonly cause: { readonly command: string; readonly name?: string | undefined } }) => (
  <code class="grow one-line cause-command" title={safeText(cause.command)}>
    {called(cause, 400)}
    {cause.name && <span class="soft cause-named"> {printable(cause.command)}</span>}
  </code>
);

const ToProcess = ({ process }: { readonly process: ProcessId }) => (
  <button class="process-link small" aria-label={`Show process ${process}`} onClick={() => goToProcess(process)}>
    <Icon name="process" size={14} /> Process
  </button>
);

const HeldBack = ({ count }: { readonly count: number }) =>
  count === 0 ? null : (
    <p class="small soft">
      {count === 1 ? '1 match was held back.' : `${count.toLocaleString('en')} matches were held back.`}
    </p>
  );

const toneOf = (end: End): 'good' | 'bad' => (end.kind === 'exited' && end.code === 0 ? 'good' : 'bad');
