/** The output of a process in a terminal: live at the end, static in the past; keys go to the process. */
import './output-view.css';
import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ProcessView } from 'rouse/contract/process';
import { printable } from 'rouse/contract/display';
import { attempt, host, reasonOf } from '../state/host';
import { showMessage } from '../state/messages';
import { processes } from '../state/processes';
import { visible } from '../state/visible';
import { pause, seen } from './visibility';
import { KeyQueue } from './key-queue';
import { LineInput } from './line-input';
import { OutputBar } from './output-bar';
import type { Place } from './output-place';
import { show, type Shown } from './output-show';
import { takeSlot } from './output-slot';
import { isRunning } from './process-state';
import type { Terminal } from './terminal';
import { TouchKeys } from './touch-keys';

const NOTHING: Shown = { from: 0, to: 0, size: 0, way: 'reading' };
const RESIZED_MS = 150;

export function OutputView({ process, place }: { readonly process: ProcessView; readonly place: Signal<Place> }) {
  const { id, pty } = process;
  const element = useRef<HTMLDivElement>(null);
  const terminal = useSignal<Terminal | undefined>(undefined);
  const shown = useSignal<Shown>(NOTHING);
  const runs = isRunning(process);

  useEffect(() => {
    const over = new AbortController();
    void open(element.current, process, over.signal).then((opened) => (terminal.value = opened));
    return () => {
      over.abort();
      terminal.value = undefined;
    };
  }, [id]);

  const drawn = terminal.value;
  const wanted = place.value;
  useEffect(() => {
    if (!drawn) return;
    const over = new AbortController();
    shown.value = { ...NOTHING, size: shown.value.size };
    void show(drawn, wanted, readingOf(id, over.signal), (news) => {
      if (!over.signal.aborted) shown.value = { ...shown.value, ...news };
    });
    return () => over.abort();
  }, [drawn, wanted]);

  return (
    <section class="output" aria-label="Output">
      <OutputBar shown={shown.value} place={place} runs={runs} />
      <div class="output-terminal" data-way={shown.value.way} ref={element} />
      {runs && !pty && <LineInput process={process} />}
      {runs && pty && (
        <p class="output-hint small faint">
          Keys go to the process. <kbd>Ctrl</kbd> <kbd>]</kbd> leaves the terminal.
        </p>
      )}
      {runs && pty && <TouchKeys type={(keys) => drawn?.parts.typed(keys)} />}
    </section>
  );
}

const readingOf = (id: ProcessView['id'], signal: AbortSignal) => ({
  host,
  id,
  signal,
  seen,
  pause,
  slot: () => takeSlot(navigator.locks),
  hasEnded: () => processes.get(id)?.state === 'ended',
});

/** Undefined if the view was closed before the terminal was loaded. */
async function open(
  element: HTMLElement | null,
  { id, pty, name, command }: ProcessView,
  signal: AbortSignal,
): Promise<Terminal | undefined> {
  const loaded = await attempt(() => import('./terminal'));
  if (!loaded || !element || signal.aborted) return undefined;
  const keys = new KeyQueue((keys) => host.write(id, keys), complain);
  const terminal = new loaded.Terminal({
    element,
    label: `${pty ? 'Terminal' : 'Output'} of ${printable(name ?? '') || printable(command)}`,
    pty,
    typed: (typed) => void (takesInput(id) && keys.type(typed)),
    resized: resizing(id, pty),
    leave: () => element.closest('.process-detail')?.querySelector<HTMLElement>('[data-back]')?.focus(),
  });
  signal.addEventListener('abort', () => terminal.dispose());
  const { rows, cols } = terminal.size;
  if (pty) resizing(id, pty)(rows, cols);
  return terminal;
}

const takesInput = (id: ProcessView['id']): boolean => {
  const process = processes.get(id);
  return process !== undefined && process.pty && isRunning(process);
};

const complain = (error: unknown): void => showMessage({ tone: 'trouble', text: reasonOf(error) });

/** Resizes the terminal of the process to the one on the page, after it stops changing. */
function resizing(id: ProcessView['id'], pty: boolean): (rows: number, cols: number) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (rows, cols) => {
    clearTimeout(timer);
    if (!pty) return;
    timer = setTimeout(() => {
      // A failed resize only breaks lines in the wrong place until the next one.
      if (takesInput(id) && !processes.get(id)?.stop && visible.value)
        void host.resize(id, rows, cols).catch(() => undefined);
    }, RESIZED_MS);
  };
}
