import { useSignal } from '@preact/signals';
import { Icon } from '../../look/icon';
import { showMessage } from '../../state/messages';
import { safeText } from '../../look/safe-text';
import { coloured } from './highlight';

/** Longer code is not highlighted. Streaming code is highlighted again with every delta, so its limit is lower. */
const LONGEST = 50_000;
const LONGEST_GROWING = 8_000;

export function CodeBlock({
  code,
  language,
  growing,
}: {
  readonly code: string;
  readonly language: string;
  readonly growing: boolean;
}) {
  const shown = safeText(code);
  const name = /^[\w+#-]+/.exec(language)?.[0].toLowerCase() ?? '';
  const colours = shown.length <= (growing ? LONGEST_GROWING : LONGEST) ? coloured(shown, name) : undefined;
  return (
    <figure class="code">
      <figcaption>
        <span class="soft small grow">{name}</span>
        <Copy text={shown} />
      </figcaption>
      <pre tabIndex={0} aria-label={name ? `Code in ${name}` : 'Code'}>
        <code>{colours ?? shown}</code>
      </pre>
    </figure>
  );
}

const COPIED_MS = 1_500;

function Copy({ text }: { readonly text: string }) {
  const copied = useSignal(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      copied.value = true;
      setTimeout(() => (copied.value = false), COPIED_MS);
    } catch {
      // The clipboard needs https or localhost.
      showMessage({ tone: 'trouble', text: 'The browser does not let this page write to the clipboard.' });
    }
  };
  return (
    <button class="copy" aria-label={copied.value ? 'Copied' : 'Copy code'} onClick={() => void copy()}>
      <Icon name={copied.value ? 'tick' : 'copy'} size={14} />
    </button>
  );
}
