/** Keys that a phone does not have, for a terminal that wants them. */
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
        // The focus stays where it is typed, and with it the keyboard on the screen.
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => type(keys)}
      >
        {name}
      </button>
    ))}
  </div>
);
