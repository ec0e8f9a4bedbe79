/** The virtual list of `@tanstack/virtual-core`, as Preact draws it. */
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
      // What is found while it is drawn is drawn right behind it, and before the picture is shown.
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

/** Where the reader's place was moved, the rows must be in the same picture. */
function drawnAtOnce(change: () => void): void {
  options.debounceRendering = (draw) => draw();
  try {
    change();
  } finally {
    delete options.debounceRendering;
  }
}
