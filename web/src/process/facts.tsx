import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { ProcessView } from 'rouse/contract/process';
import { durationInWords, endInWords, printable } from 'rouse/contract/display';
import { safeText } from '../look/safe-text';
import { now } from '../look/ago';
import { Icon } from '../look/icon';
import { showMessage } from '../state/messages';
import { addressOf } from '../state/route';
import { sessions } from '../state/sessions';
import { bytesInWords } from 'rouse/contract/display';
import { percentInWords } from './resource-usage';
import { isRunning, ranMs } from './process-state';
import { loads, useUsage } from './usage';

/** The details of a process: changing figures on one line, everything else on demand. */
export function Facts({ process, children }: { readonly process: ProcessView; readonly children: ComponentChildren }) {
  useUsage();
  const open = useSignal(false);
  return (
    <div class="facts">
      <div class="facts-line">
        <button class="facts-button small" aria-expanded={open.value} onClick={() => (open.value = !open.value)}>
          <span class="unseen">Details: </span>
          <Summary process={process} />
        </button>
        {children}
      </div>
      {open.value && <AllFacts process={process} />}
    </div>
  );
}

function AllFacts({ process }: { readonly process: ProcessView }) {
  const { command, cwd, pid, place, startedAt, endedAt, end, stop, timeoutMs, watchPatterns, session } = process;
  return (
    <dl class="small">
      <Fact name="Command">
        <pre class="facts-command">{safeText(command)}</pre>
      </Fact>
      <Fact name="Folder">
        <code>{safeText(cwd)}</code>
        {place !== 'local' && ` in ${place}`}
      </Fact>
      {session && (
        <Fact name="Session">
          <a href={addressOf({ kind: 'session', session })}>{sessions.get(session)?.title ?? session}</a>
        </Fact>
      )}
      <Fact name="Id">
        <code>{process.id}</code>
        <button
          class="button quiet icon"
          aria-label="Copy the id"
          title="Copy the id"
          onClick={() => void copy(process)}
        >
          <Icon name="copy" size={13} />
        </button>
      </Fact>
      {pid !== undefined && <Fact name="PID">{pid}</Fact>}
      <Fact name="Started">{new Date(startedAt).toLocaleString()}</Fact>
      {endedAt && end && (
        <Fact name="Ended">
          {new Date(endedAt).toLocaleString()}, {endInWords(end)}
        </Fact>
      )}
      {stop && (
        <Fact name="Stopped">
          by {stop.by} with {stop.signal}, {new Date(stop.at).toLocaleString()}
        </Fact>
      )}
      {timeoutMs !== undefined && <Fact name="Time limit">{durationInWords(timeoutMs)}</Fact>}
      <Fact name="Notifies">{tellsOf(process)}</Fact>
      {watchPatterns.length > 0 && (
        <Fact name="Watched for">
          {watchPatterns.map((pattern) => (
            <code key={pattern} class="facts-pattern">
              {safeText(pattern)}
            </code>
          ))}
        </Fact>
      )}
      {process.releasedBytes > 0 && (
        <Fact name="Output">
          {bytesInWords(process.outputBytes)}, of which {bytesInWords(process.releasedBytes)} were released by the quota
        </Fact>
      )}
    </dl>
  );
}

function Summary({ process }: { readonly process: ProcessView }) {
  const load = isRunning(process) ? loads.value.get(process.id) : undefined;
  const figures = [
    `${isRunning(process) ? 'for' : 'took'} ${durationInWords(ranMs(process, now.value))}`,
    ...(load?.cpu === undefined ? [] : [`${percentInWords(load.cpu)} CPU`]),
    ...(load ? [bytesInWords(load.memoryBytes)] : []),
    process.pty ? 'terminal' : 'pipes',
    printable(process.cwd),
  ];
  return <span class="soft one-line">{figures.join(' · ')}</span>;
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div>
    <dt class="soft">{name}</dt>
    <dd>{children}</dd>
  </div>
);

function tellsOf({ session, notifyOnComplete, watchPatterns }: ProcessView): string {
  if (!session) return 'never: it has no session';
  if (notifyOnComplete) return 'when it ends';
  return watchPatterns.length > 0 ? 'when a line matches' : 'never';
}

async function copy({ id }: ProcessView): Promise<void> {
  // Without a clipboard, show the id so that it can be copied by hand.
  const copied = await navigator.clipboard?.writeText(id).then(
    () => true,
    () => false,
  );
  showMessage({ tone: 'good', text: copied ? `Copied ${id}` : id });
}
