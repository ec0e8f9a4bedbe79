import { useState } from 'preact/hooks';
import { reasonOf } from '../state/host';
import { signIn, signInTrouble } from './start';

/** Shown to a browser that is not signed in. */
export function SignIn() {
  const [link, setLink] = useState('');
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      await signIn(link.trim().replace(/^.*#sign-in=/, ''));
    } catch (error) {
      signInTrouble.value = reasonOf(error);
    }
  };
  return (
    <main class="sign-in">
      <form onSubmit={(event) => void submit(event)}>
        <img src="/icon.svg" alt="" width="44" height="44" />
        <h1>This browser is not signed in</h1>
        {signInTrouble.value && <p class="trouble-text">{signInTrouble.value}</p>}
        <p class="soft">
          Run this command on the machine that runs Rouse, and open the link it prints. The link works once, within 15
          minutes.
        </p>
        <pre class="block">rouse open</pre>
        <label class="labelled">
          <span>Or paste the link</span>
          <input
            class="field"
            name="link"
            autocomplete="off"
            value={link}
            onInput={({ currentTarget }) => setLink(currentTarget.value)}
          />
        </label>
        <button class="button primary" disabled={link.trim() === ''}>
          Sign in
        </button>
      </form>
    </main>
  );
}
