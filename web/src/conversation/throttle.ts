/** Renders a fast-changing signal at most once per frame, and less often when rendering is slow. */
import { effect, type ReadonlySignal } from '@preact/signals';
import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';

/** Rest this many times the rendering time beyond QUICK_MS, to leave time for typing and scrolling. */
const REST = 3;
/** Rendering time that fits into every frame. */
const QUICK_MS = 12;

export function useThrottled<Value extends { readonly kind: string }>(source: ReadonlySignal<Value>): Value {
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const shown = useRef(source.peek());
  const pace = useRef({ waiting: false, beganAt: 0, drawnAt: 0 });
  useLayoutEffect(() => {
    pace.current.drawnAt = performance.now();
  }, [shown.current]);
  // Not `useSignalEffect`, which runs one frame later.
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
    // A different kind of value is shown at once.
    if (kind !== shown.current.kind) return show();
    if (pace.current.waiting || shown.current === source.peek()) return;
    pace.current.waiting = true;
    const restMs = restOf(pace.current, performance.now());
    if (restMs <= 0) requestAnimationFrame(show);
    else setTimeout(() => requestAnimationFrame(show), restMs);
  }
  return shown.current;
}

/** How long to rest after the last rendering; after a quiet time, not at all. */
function restOf({ beganAt, drawnAt }: { readonly beganAt: number; readonly drawnAt: number }, now: number): number {
  return (drawnAt - beganAt - QUICK_MS) * REST - (now - drawnAt);
}
