import type { Signal } from '@preact/signals';
import { attempt, host } from '../state/host';
import { currentSession } from '../state/sessions';
import { useCommands } from '../keyboard/commands';
import type { ListHandle } from './row-list';

export function useConversationCommands(list: Signal<ListHandle | undefined>): void {
  useCommands(() => [
    {
      id: 'stop',
      title: 'Stop the turn',
      group: 'Conversation',
      keys: 'mod+.',
      whileTyping: true,
      when: isWorking,
      run: () => void stop(),
    },
    { id: 'write', title: 'Write a message', group: 'Conversation', keys: 'i', run: focusComposer },
    { id: 'end', title: 'Go to the end', group: 'Conversation', keys: 'g', run: () => list.value?.toEnd() },
    { id: 'read', title: 'Scroll with the keys', group: 'Conversation', keys: 'r', run: focusRows },
  ]);
}

const isWorking = (): boolean => ['running', 'waiting'].includes(currentSession.value?.state ?? '');

export async function stop(): Promise<void> {
  const session = currentSession.value;
  if (session) await attempt(() => host.stop(session.id));
}

/** Moves the focus when the focused button disappears. */
export const focusComposer = (): void => document.getElementById('composer')?.focus();

const focusRows = (): void => document.querySelector<HTMLElement>('.rows')?.focus();
