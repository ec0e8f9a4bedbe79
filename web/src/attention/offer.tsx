/** Offers notifications once, after a person has started something long. */
import './offer.css';
import { computed, signal } from '@preact/signals';
import type { SessionId } from 'rouse/contract/ids';
import { offer } from '../keyboard/commands';
import { Icon } from '../look/icon';
import { listen } from '../state/live';
import { openSession } from '../state/route';
import { sessions } from '../state/sessions';
import { visible } from '../state/visible';
import { disableNotifications, enableNotifications } from './subscription';
import { canNotify, setPreference, preference } from './preference';

/** Do not offer anything for work that ends sooner. */
const LONG_MS = 3_000;

const lasts = signal<ReadonlySet<SessionId>>(new Set());

listen((event) => {
  if (!mayAsk.value || event.kind !== 'entry' || event.entry.kind !== 'turnBegan') return;
  const { by } = event.entry;
  const { session } = event.entry;
  if (by === 'person' && visible.value && session === openSession.value) setTimeout(() => look(session), LONG_MS);
});

function look(session: SessionId): void {
  const { state, running = 0 } = sessions.get(session) ?? {};
  if (state === 'running' || state === 'waiting' || running > 0) lasts.value = new Set([...lasts.value, session]);
}

const mayAsk = computed(() => canNotify && preference.value === 'not asked' && Notification.permission === 'default');

/** Stays until it is answered. It overlays the page, so that nothing moves when it appears or disappears. */
export function Offer() {
  if (!mayAsk.value || !openSession.value || !lasts.value.has(openSession.value)) return null;
  return (
    <div class="offer-place">
      <section class="offer" aria-label="Notifications">
        <Icon name="bell" />
        <span class="grow">Notify me when this is done, even if the page is hidden</span>
        <button class="button" onClick={() => void enableNotifications()}>
          Allow
        </button>
        <button class="button quiet" onClick={() => setPreference('off')}>
          Not now
        </button>
      </section>
    </div>
  );
}

if (canNotify)
  offer([
    {
      id: 'notify',
      title: 'Notify me on this device',
      group: 'Everywhere',
      when: () => preference.value !== 'on' || Notification.permission !== 'granted',
      run: () => void enableNotifications(),
    },
    {
      id: 'stop-notifying',
      title: 'Stop notifying me on this device',
      group: 'Everywhere',
      when: () => preference.value === 'on',
      run: () => void disableNotifications(),
    },
  ]);
