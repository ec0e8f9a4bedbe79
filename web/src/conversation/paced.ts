/** What changes more often than the screen is drawn is looked at once for each picture, and less often when drawing is slow. */
import { useSignalEffect, type ReadonlySignal } from '@preact/signals';
import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';

/** Drawing may take a quarter of the time; the rest belongs to whoever types and scrolls. */
const REST = 3;
const QUICK_MS = 12;

export function usePaced<Value extends { readonly kind: string }>(source: ReadonlySignal<Value>): Value {
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const shown = useRef(source.peek());
  const pace = useRef({ waiting: false, beganAt: 0, tookMs: 0 });
  useLayoutEffect(() => {
    pace.current.tookMs = performance.now() - pace.current.beganAt;
  }, [shown.current]);
  useSignalEffect(() => {
    const { kind } = source.value;
    const show = (): void => {
      pace.current.waiting = false;
      if (shown.current === source.peek()) return;
      shown.current = source.peek();
      pace.current.beganAt = performance.now();
      redraw(undefined);
    };
    // Another kind of thing is shown at once: it is another page, not one more word.
    if (kind !== shown.current.kind) return show();
    if (pace.current.waiting || shown.current === source.peek()) return;
    pace.current.waiting = true;
    const { tookMs } = pace.current;
    if (tookMs <= QUICK_MS) requestAnimationFrame(show);
    else setTimeout(() => requestAnimationFrame(show), tookMs * REST);
  });
  return shown.current;
}
