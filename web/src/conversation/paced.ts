/** What changes more often than the screen is drawn is looked at once for each picture. */
import { useSignalEffect, type ReadonlySignal } from '@preact/signals';
import { useReducer, useRef } from 'preact/hooks';

export function usePaced<Value extends { readonly kind: string }>(source: ReadonlySignal<Value>): Value {
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const shown = useRef(source.peek());
  const waiting = useRef(false);
  useSignalEffect(() => {
    const { kind } = source.value;
    const show = (): void => {
      waiting.current = false;
      if (shown.current === source.peek()) return;
      shown.current = source.peek();
      redraw(undefined);
    };
    // Another kind of thing is shown at once: it is another page, not one more word.
    if (kind !== shown.current.kind) return show();
    if (waiting.current || shown.current === source.peek()) return;
    waiting.current = true;
    requestAnimationFrame(show);
  });
  return shown.current;
}
