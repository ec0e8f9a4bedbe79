/** Shows that the model is being retried, until something arrives. */
import { computed, signal } from '@preact/signals';
import type { SessionId } from 'rouse/contract/ids';
import { printable } from 'rouse/contract/display';
import { now } from '../../look/ago';
import { listen } from '../../state/live';

type Asked = { readonly session: SessionId; readonly why: string; readonly until: number };

const last = signal<Asked | undefined>(undefined);

listen((event) => {
  if (event.kind === 'live' && event.event.kind === 'retrying') {
    const { session, why, inMs } = event.event;
    last.value = { session, why, until: Date.now() + inMs };
  }
  const over =
    event.kind === 'entry'
      ? event.entry.session
      : event.kind === 'live' && event.event.kind === 'delta'
        ? event.event.session
        : undefined;
  if (over && over === last.peek()?.session) last.value = undefined;
});

export const retrying = computed(() => {
  const asked = last.value;
  if (!asked) return undefined;
  const seconds = Math.ceil((asked.until - now.value) / 1_000);
  const when = seconds > 0 ? `in ${seconds} s` : 'now';
  return { session: asked.session, words: `Retrying the model ${when}: ${printable(asked.why)}` };
});
