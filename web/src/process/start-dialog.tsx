/** A process started by hand. */
import './start-dialog.css';
import { signal, useSignal } from '@preact/signals';
import type { ProcessView, StartInput } from 'rouse/contract/process';
import { Dialog } from '../look/dialog';
import { host, reasonOf } from '../state/host';
import { showMessage } from '../state/messages';
import { processes } from '../state/processes';
import { goToProcess, openSession } from '../state/route';
import { openSessions } from '../state/sessions';
import { requestOf, type Told } from './start-request';

export const startDialogShown = signal(false);

const close = (): void => void (startDialogShown.value = false);

export function StartDialog() {
  const refusal = useSignal<string | undefined>(undefined);
  const session = useSignal<string>(openSession.value ?? '');
  const told = useSignal<Told>('nothing');
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const fields = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
    const started = await start(requestOf(fields)).catch((error: unknown) => reasonOf(error));
    if (typeof started === 'string') refusal.value = started;
    else {
      close();
      goToProcess(started.id);
    }
  };
  return (
    <Dialog label="Start a process" close={close} class="start-dialog">
      <form onSubmit={(event) => void submit(event)}>
        <h2>Start a process</h2>
        <label class="labelled">
          <span>Command</span>
          <textarea
            class="field mono"
            name="command"
            rows={2}
            required
            autofocus
            spellcheck={false}
            autocapitalize="off"
            onKeyDown={submitByEnter}
          />
        </label>
        <div class="start-pair">
          <label class="labelled">
            <span>Folder</span>
            <input
              class="field mono"
              name="cwd"
              placeholder="folder of the host"
              spellcheck={false}
              autocapitalize="off"
            />
          </label>
          <label class="labelled">
            <span>Name</span>
            <input class="field" name="name" maxLength={200} placeholder="the command" />
          </label>
        </div>
        <div class="start-pair">
          <label class="labelled">
            <span>Session</span>
            <select
              class="field"
              name="session"
              value={session.value}
              onChange={({ currentTarget }) => (session.value = currentTarget.value)}
            >
              <option value="">none</option>
              {openSessions.value.map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </select>
          </label>
          <label class="labelled">
            <span>Notify the session</span>
            <select
              class="field"
              name="told"
              disabled={session.value === ''}
              value={session.value === '' ? 'nothing' : told.value}
              onChange={({ currentTarget }) => (told.value = currentTarget.value as Told)}
            >
              <option value="nothing">never</option>
              <option value="end">when it ends</option>
              <option value="pattern">when a line matches</option>
            </select>
          </label>
        </div>
        {session.value !== '' && told.value === 'pattern' && (
          <label class="labelled">
            <span>Pattern</span>
            <input class="field mono" name="pattern" required spellcheck={false} autocapitalize="off" />
          </label>
        )}
        <label class="start-tick">
          <input type="checkbox" name="pty" /> In a terminal you can type into
        </label>
        {refusal.value && (
          <p class="trouble-text" role="alert">
            {refusal.value}
          </p>
        )}
        <div class="start-buttons">
          <button type="button" class="button quiet" onClick={close}>
            Cancel
          </button>
          <button class="button primary">Start</button>
        </div>
      </form>
    </Dialog>
  );
}

async function start(request: StartInput): Promise<ProcessView> {
  const { process, notes = [] } = await host.start(request);
  processes.learn([process]);
  for (const text of notes) showMessage({ tone: 'good', text });
  return process;
}

function submitByEnter(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  if (event.currentTarget instanceof HTMLTextAreaElement) event.currentTarget.form?.requestSubmit();
}
