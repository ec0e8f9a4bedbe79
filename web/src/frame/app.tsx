import './app.css';
import { useEffect } from 'preact/hooks';
import { Offer } from '../attention/offer';
import { Conversation } from '../conversation/conversation';
import { Notices } from '../notice/notices';
import { ProcessPanel } from '../process/panel';
import { line } from '../state/live';
import { openProcess, route } from '../state/route';
import { Banner } from './banner';
import { listenForKeys, useCommands } from '../keyboard/commands';
import { frameCommands } from './frame-commands';
import { Home } from './home';
import { Messages } from './messages';
import { OpenDialog } from './dialogs';
import { panelShown, sidebarShown } from '../state/panes';
import { SessionList } from './session-list';
import { SignIn } from './sign-in';

export function App() {
  useEffect(listenForKeys, []);
  useCommands(frameCommands);
  if (line.value.kind === 'signedOut') return <SignIn />;
  return (
    <div class="app" data-sidebar={sidebarShown.value} data-panel={panelIsOpen()} data-view={route.value.kind}>
      <a class="skip" href="#main" onClick={toMain}>
        Skip to the conversation
      </a>
      <SessionList />
      <main id="main" tabIndex={-1}>
        <Banner />
        <Offer />
        <View />
      </main>
      {panelIsOpen() && route.value.kind !== 'processes' && (
        <aside class="panel" aria-label="Processes">
          <ProcessPanel />
        </aside>
      )}
      <Messages />
      <OpenDialog />
    </div>
  );
}

/** The panel is open if the person opened it, or if the address names a process. */
const panelIsOpen = (): boolean =>
  panelShown.value || (route.value.kind === 'session' && openProcess.value !== undefined);

function View() {
  switch (route.value.kind) {
    case 'home':
      return <Home />;
    case 'session':
      return <Conversation />;
    case 'processes':
      return <ProcessPanel />;
    case 'notices':
      return <Notices />;
  }
}

/** The hash holds the route, so the link moves the focus itself. */
function toMain(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
