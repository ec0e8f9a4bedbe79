/** The output of a tool, unformatted and limited in length. */
import { plainOutput } from '../../look/safe-text';
import { isExpanded } from '../expanded';
import { ShowAll } from '../show-all';

const AT_ONCE = 100_000;

export function Output({
  text,
  name,
  label,
}: {
  readonly text: string;
  readonly name: string;
  readonly label: string;
}) {
  const whole = text.length <= AT_ONCE || isExpanded(`${name} whole`);
  return (
    <>
      <pre class="printed" tabIndex={0} aria-label={label}>
        {plainOutput(whole ? text : text.slice(0, AT_ONCE))}
      </pre>
      {!whole && <ShowAll name={`${name} whole`} characters={text.length} />}
    </>
  );
}
