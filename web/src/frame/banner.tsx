/** The bar on top: title, connection state, and buttons for the side panes. */
import { hurry, line } from '../state/live';
import { now } from '../look/ago';
import { Icon } from '../look/icon';
import { currentSession } from '../state/sessions';
import { route } from '../state/route';
import { panelShown, sidebarShown } from '../state/panes';
import { SessionBar } from './session-bar';

const TITLES = { home: 'Rouse', processes: 'All processes', notices: 'Notices', session: '' } as const;

export const Banner = () => (
  <header class="bar">
    <button
      class="button quiet icon"
      aria-label="Sessions"
      aria-expanded={sidebarShown.value}
      onClick={() => (sidebarShown.value = !sidebarShown.value)}
    >
      <Icon name="list" />
    </button>
    {route.value.kind === 'session' && currentSession.value ? (
      <SessionBar session={currentSession.value} />
    ) : (
      <h1 class="grow one-line">{TITLES[route.value.kind]}</h1>
    )}
    <LineState />
    {route.value.kind !== 'processes' && (
      <button
        class="button quiet icon"
        aria-label="Processes"
        aria-expanded={panelShown.value}
        onClick={() => (panelShown.value = !panelShown.value)}
      >
        <Icon name="process" />
      </button>
    )}
  </header>
);

export const LineState = () => (
  <div class="line-state" role="status" data-line={line.value.kind}>
    <Words />
  </div>
);

function Words() {
  const state = line.value;
  switch (state.kind) {
    case 'open':
      return state.behind > 0 ? (
        <span class="badge accent">{state.behind.toLocaleString('en')} entries behind</span>
      ) : (
        <span class="badge good">up to date</span>
      );
    case 'connecting':
      return <span class="badge accent">connecting …</span>;
    case 'waiting':
      return (
        <button class="badge trouble again" onClick={hurry}>
          reconnecting {inSeconds(state.until)}
        </button>
      );
    case 'signedOut':
      return <span class="badge trouble">signed out</span>;
  }
}

function inSeconds(until: number): string {
  const seconds = Math.ceil((until - now.value) / 1_000);
  return seconds > 1 ? `in ${seconds}s` : '…';
}
