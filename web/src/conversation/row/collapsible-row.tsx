/** A line that expands. */
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../../look/icon';
import { isExpanded, toggle } from '../expanded';

export function CollapsibleRow({
  name,
  icon,
  label,
  line,
  after,
  children,
}: {
  readonly name: string;
  readonly icon: IconName;
  /** The first word of the line. */
  readonly label: string;
  readonly line: ComponentChildren;
  readonly after?: ComponentChildren;
  readonly children: () => ComponentChildren;
}) {
  const open = isExpanded(name);
  return (
    <>
      <div class="fold">
        <button class="fold-line" aria-expanded={open} onClick={() => toggle(name)}>
          <span class="fold-mark" aria-hidden="true">
            <Icon name="chevron" size={12} />
          </span>
          <Icon name={icon} size={14} />
          <span class="fold-label">{label}</span>
          <span class="one-line grow">{line}</span>
        </button>
        {after}
      </div>
      {open && <div class="fold-inside">{children()}</div>}
    </>
  );
}
