/** Which panes are open, stored for the next visit. */
import { effect, signal } from '@preact/signals';

const kept = (name: string, fallback: boolean) => {
  const pane = signal((localStorage.getItem(`rouse pane ${name}`) ?? String(fallback)) === 'true');
  effect(() => localStorage.setItem(`rouse pane ${name}`, String(pane.value)));
  return pane;
};

const wide = matchMedia('(min-width: 1100px)').matches;

export const panelShown = kept('processes', wide);

/** On a narrow screen the list covers the conversation and starts closed. */
export const sidebarShown = signal(matchMedia('(min-width: 760px)').matches);
