import { plainOutput } from '../../look/safe-text';
import { isExpanded, toggle } from '../expanded';

const FEW_LINES = 6;

/** Shows the last lines, and everything when expanded. */
export function Excerpt({
  text,
  name,
  label,
  cut = false,
}: {
  readonly text: string;
  readonly name: string;
  readonly label: string;
  /** Earlier text is missing. */
  readonly cut?: boolean;
}) {
  const lines = plainOutput(text).trimEnd().split('\n');
  const open = isExpanded(name);
  const more = lines.length - FEW_LINES;
  return (
    <>
      {more > 0 && (
        <button class="button quiet small" aria-expanded={open} onClick={() => toggle(name)}>
          {open ? 'Fewer lines' : `… ${more.toLocaleString('en')} more ${more === 1 ? 'line' : 'lines'} before`}
        </button>
      )}
      {cut && (open || more <= 0) && <p class="small soft">… earlier output: see the process</p>}
      <pre class="printed" tabIndex={0} aria-label={label}>
        {(open ? lines : lines.slice(-FEW_LINES)).join('\n')}
      </pre>
    </>
  );
}
