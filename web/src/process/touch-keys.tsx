/** Terminal keys that a phone keyboard does not have. */
const KEYS = [
  ['Esc', '\x1b'],
  ['Tab', '\t'],
  ['Ctrl C', '\x03'],
  ['Ctrl D', '\x04'],
  ['↑', '\x1b[A'],
  ['↓', '\x1b[B'],
] as const;

export const TouchKeys = ({ type }: { readonly type: (keys: string) => void }) => (
  <div class="touch-keys" role="group" aria-label="Keys">
    {KEYS.map(([name, keys]) => (
      <button
        key={name}
        class="button"
        // Keep the focus in the terminal, so that the on-screen keyboard stays open.
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => type(keys)}
      >
        {name}
      </button>
    ))}
  </div>
);
