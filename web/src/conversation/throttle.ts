/** What changes more often than the screen is drawn is looked at once for each picture, and less often when drawing is slow. */
import { effect, type ReadonlySignal } from '@preact/signals';
import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';

/** So much longer than what drawing takes beyond the quick is rested: that time belongs to whoever types and scrolls. */
const REST = 3;
/** So much fits into every picture. */
const QUICK_MS = 12;

export function useThrottled<Value extends { readonly kind: string }>(source: ReadonlySignal<Value>): Value {
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const shown = useRef(source.peek());
  const pace = useRef({ waiting: false, beganAt: 0, drawnAt: 0 });
  useLayoutEffect(() => {
    pace.current.drawnAt = performance.now();
  }, [shown.current]);
  // Not `useSignalEffect`, which comes a picture later.
  useLayoutEffect(() => effect(follow), [source]);
  function follow(): void {
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
    const restMs = restOf(pace.current, performance.now());
    if (restMs <= 0) requestAnimationFrame(show);
    else setTimeout(() => requestAnimationFrame(show), restMs);
  }
  return shown.current;
}

/** What is left of the rest after the last drawing. Whatever comes after a quiet is drawn at once. */
function restOf({ beganAt, drawnAt }: { readonly beganAt: number; readonly drawnAt: number }, now: number): number {
  return (drawnAt - beganAt - QUICK_MS) * REST - (now - drawnAt);
}
