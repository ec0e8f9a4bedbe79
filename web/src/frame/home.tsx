import { Composer } from '../conversation/composer';
import { openSessions, sessions } from '../state/sessions';

/** Where a newcomer begins: what to say, and what will come of it. */
export const Home = () => (
  <section class="home">
    <div class="home-words">
      <h2>Start something long, walk away.</h2>
      <p class="soft">
        Say what should run. The agent starts it in the background and is woken once, when it ends or says what you wait
        for: with this page closed, with the host restarted.
      </p>
      {sessions.known.value && openSessions.value.length === 0 && (
        <p class="soft">
          With no model configured a built-in one answers. It runs the command that stands in backticks: try{' '}
          <q class="example">
            run <code>`sleep 20; echo built`</code> and tell me
          </q>
        </p>
      )}
    </div>
    <Composer />
  </section>
);
