import { useSignal } from '@preact/signals';
import { RouseProblem } from 'rouse/client/client';
import type { Question } from 'rouse/client/screen';
import { host, reasonOf } from '../../state/host';
import { showMessage } from '../../state/messages';
import { safeText } from '../../look/safe-text';

/** Button texts of an approval, by the answer that the host expects. */
const CONSENT: Readonly<Record<string, string>> = { yes: 'Allow once', always: 'Always allow', no: 'Deny' };

export const choiceInWords = ({ about }: Question, choice: string): string =>
  (about.kind === 'approval' && CONSENT[choice]) || safeText(choice);

export function AnswerForm({ entry }: { readonly entry: Question }) {
  const text = useSignal('');
  const sending = useSignal(false);
  const choices = entry.choices ?? [];
  const answer = async (words: string): Promise<void> => {
    if (words.trim() === '' || sending.value) return;
    sending.value = true;
    await give(entry, words);
    sending.value = false;
  };
  return (
    <>
      {choices.length > 0 && (
        <div class="choices" role="group" aria-label="Answers">
          {choices.map((choice) => (
            <button
              key={choice}
              class={`button ${entry.about.kind === 'approval' && choice === 'no' ? 'danger' : ''}`}
              disabled={sending.value}
              onClick={() => void answer(choice)}
            >
              {choiceInWords(entry, choice)}
            </button>
          ))}
        </div>
      )}
      {(entry.about.kind === 'clarify' || choices.length === 0) && (
        <form
          class="answer"
          onSubmit={(event) => {
            event.preventDefault();
            void answer(text.value);
          }}
        >
          <input
            class="field grow"
            aria-label="Your answer"
            placeholder={choices.length > 0 ? 'Or type another answer' : 'Your answer'}
            value={text.value}
            onInput={({ currentTarget }) => (text.value = currentTarget.value)}
          />
          <button class="button" disabled={sending.value || text.value.trim() === ''}>
            Answer
          </button>
        </form>
      )}
    </>
  );
}

/** Errors appear as a message, because the card changes as soon as an answer counts. */
async function give({ session, question }: Question, words: string): Promise<void> {
  try {
    await host.answer(session, question, words);
  } catch (error) {
    const late = error instanceof RouseProblem && error.word === 'already-settled';
    const text = late ? 'It was already answered elsewhere; that answer counts.' : reasonOf(error);
    showMessage({ tone: 'trouble', text });
  }
}
