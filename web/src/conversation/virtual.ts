/** Connects `@tanstack/virtual-core` to Preact. */
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { VirtualizerOptions } from '@tanstack/virtual-core';
import { options } from 'preact';
import { useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';

type Wanted = Omit<
  VirtualizerOptions<HTMLElement, HTMLElement>,
  'observeElementRect' | 'observeElementOffset' | 'scrollToFn' | 'onChange'
>;

export function useVirtual(wanted: Wanted): Virtualizer<HTMLElement, HTMLElement> {
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const drawing = useRef(false);
  drawing.current = true;
  const whole = {
    ...wanted,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: (_: unknown, atOnce: boolean) =>
      // A change found while rendering is rendered next, before the frame is shown.
      atOnce && !drawing.current ? drawnAtOnce(() => redraw(undefined)) : redraw(undefined),
  };
  const [virtual] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(whole));
  virtual.setOptions(whole);
  useLayoutEffect(() => virtual._didMount(), []);
  useLayoutEffect(() => {
    drawing.current = false;
    virtual._willUpdate();
  });
  return virtual;
}

/** When the scroll position moves, the rows must render in the same frame. */
function drawnAtOnce(change: () => void): void {
  options.debounceRendering = (draw) => draw();
  try {
    change();
  } finally {
    delete options.debounceRendering;
  }
}
