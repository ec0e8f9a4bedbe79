import './composer/composer.css';
import { useSignal } from '@preact/signals';
import type { AgentName, SessionView } from 'rouse/contract/session';
import type { Mode } from 'rouse/contract/journal';
import { Icon } from '../look/icon';
import { attempt, host } from '../state/host';
import { sessions } from '../state/sessions';
import { Attach } from './composer/attach';
import { beginSession, beginWithDraft } from './composer/begin-session';
import { draftOf, write } from './composer/draft';
import { DropZone } from './composer/drop-zone';
import { Field } from './composer/field';
import { give } from './composer/files';
import { Meter } from './composer/meter';
import { mode, ModeChoice } from './composer/mode-choice';
import { AgentPicker, ModelPicker } from './composer/model-picker';
import { send } from './composer/outbox';
import { SessionStatus } from './composer/session-status';
import { UnsentMessages } from './composer/unsent-messages';
import { WaitingMessages } from './composer/waiting-messages';
import { focusComposer, stop } from './conversation-commands';

/** Where a person writes. Without a session it starts one. */
export const Composer = ({ session }: { readonly session?: SessionView }) =>
  session ? <InSession session={session} /> : <Beginning />;

function InSession({ session }: { readonly session: SessionView }) {
  const works = session.state === 'running' || session.state === 'waiting';
  const submit = (as: Mode = mode.value): void => {
    const text = draftOf(session.id).value;
    if (text.trim() === '') return;
    write(session.id, '');
    send(session.id, text, works ? as : 'queue');
  };
  const take = (files: readonly File[]): void => void give(session.id, files);
  const choose = async (model: string | undefined): Promise<void> => {
    const keep = sessions.asking(session.id);
    const changed = await attempt(() => host.changeSession(session.id, { model: model ?? null }));
    if (changed) keep(changed.session);
  };
  const open = !session.closedAt && session.agent !== 'none';
  return (
    <div class="composer">
      <SessionStatus session={session} />
      <UnsentMessages session={session.id} />
      <WaitingMessages session={session.id} />
      {open && (
        <DropZone take={take}>
          <Field name={session.id} placeholder="Message" send={submit} take={take} />
          <div class="composer-tools">
            <Attach take={take} />
            <ModelPicker model={session.model} choose={(model) => void choose(model)} />
            <span class="grow small faint composer-meter">{!works && <Meter model={session.model} />}</span>
            {works && <ModeChoice />}
            {works && (
              <button
                class="button icon stop"
                aria-label="Stop the turn"
                title="Stop the turn"
                onClick={() => {
                  focusComposer();
                  void stop();
                }}
              >
                <Icon name="stop" />
              </button>
            )}
            <SendButton enabled={draftOf(session.id).value.trim() !== ''} send={() => submit()} />
          </div>
        </DropZone>
      )}
    </div>
  );
}

function Beginning() {
  const model = useSignal<string | undefined>(undefined);
  const agent = useSignal<AgentName>('rouse');
  const sending = useSignal(false);
  const wanted = () => ({ agent: agent.value, ...(model.value && { model: model.value }) });
  const text = draftOf('new').value;
  const possible = text.trim() !== '' || agent.value === 'none';
  const submit = async (): Promise<void> => {
    if (!possible || sending.value) return;
    sending.value = true;
    await beginSession(wanted(), agent.value === 'none' ? '' : text);
    sending.value = false;
  };
  const take = async (files: readonly File[]): Promise<void> => {
    const session = await beginWithDraft(wanted());
    if (session) await give(session, files);
  };
  return (
    <div class="composer">
      <DropZone take={(files) => void take(files)}>
        <Field
          name="new"
          placeholder="What should run?"
          send={() => void submit()}
          take={(files) => void take(files)}
        />
        <div class="composer-tools">
          <Attach take={(files) => void take(files)} />
          <ModelPicker model={model.value} choose={(chosen) => (model.value = chosen)} />
          <AgentPicker agent={agent.value} choose={(chosen) => (agent.value = chosen)} />
          <span class="grow" />
          <SendButton enabled={possible && !sending.value} send={() => void submit()} />
        </div>
      </DropZone>
    </div>
  );
}

const SendButton = ({ enabled, send }: { readonly enabled: boolean; readonly send: () => void }) => (
  <button class="button primary icon" aria-label="Send" title="Send (Enter)" disabled={!enabled} onClick={send}>
    <Icon name="send" />
  </button>
);
