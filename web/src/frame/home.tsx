import { Composer } from '../conversation/composer';
import { openSessions, sessions } from '../state/sessions';

/** The start screen: what to type, and what happens then. */
export const Home = () => (
  <section class="home">
    <div class="home-words">
      <h2>Start something long, walk away.</h2>
      <p class="soft">
        Tell the agent what to run. It starts the command in the background, and Rouse wakes it once when the command
        ends or prints a line you watch for, even if you close this page or the host restarts.
      </p>
      {sessions.known.value && openSessions.value.length === 0 && (
        <p class="soft">
          Without a configured model, a built-in one answers. It runs commands in backticks. Try{' '}
          <q class="example">
            run <code>`sleep 20; echo built`</code> and tell me
          </q>
        </p>
      )}
    </div>
    <Composer />
  </section>
);
