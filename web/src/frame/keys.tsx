import { Dialog } from '../look/dialog';
import { commands, keyNames, type Command } from '../keyboard/commands';

const GROUPS = ['Everywhere', 'Sessions', 'Conversation', 'Processes'] as const;

export const Keys = ({ close }: { readonly close: () => void }) => (
  <Dialog label="Keys" close={close} class="keys">
    <h2>Keys</h2>
    {GROUPS.map((group) => (
      <KeyGroup key={group} group={group} offered={commands.value.filter((command) => command.group === group)} />
    ))}
    <button class="button" autofocus onClick={close}>
      Close
    </button>
  </Dialog>
);

function KeyGroup({ group, offered }: { readonly group: string; readonly offered: readonly Command[] }) {
  const keyed = offered.flatMap(({ id, title, keys }) => (keys ? [{ id, title, keys }] : []));
  if (keyed.length === 0) return null;
  return (
    <section>
      <h3 class="soft small">{group}</h3>
      <dl>
        {keyed.map(({ id, title, keys }) => (
          <div key={id}>
            <dt>
              {keyNames(keys).map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{title}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
