/** Which panes are open, kept for the next time. */
import { effect, signal } from '@preact/signals';

const kept = (name: string, fallback: boolean) => {
  const pane = signal((localStorage.getItem(`rouse pane ${name}`) ?? String(fallback)) === 'true');
  effect(() => localStorage.setItem(`rouse pane ${name}`, String(pane.value)));
  return pane;
};

const wide = matchMedia('(min-width: 1100px)').matches;

export const panelShown = kept('processes', wide);

/** On a narrow screen the list lies over the conversation, and begins closed. */
export const sidebarShown = signal(matchMedia('(min-width: 760px)').matches);
