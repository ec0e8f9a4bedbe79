/** The bell: a folder in which shims leave an empty file when there is news. One watch serves all processes. */
import { rmSync, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ProcessId } from '../../contract/ids.js';

const idIn = (name: string): ProcessId | undefined => ProcessId.safeParse(name.replace(/\.(?:pid|exit)$/, '')).data;

export class Bell {
  constructor(readonly folder: string) {}

  listen(heard: (id: ProcessId) => void): Disposable {
    const watcher = watch(this.folder, { persistent: false }, (_, name) => {
      const id = name && idIn(name);
      if (id) heard(id);
    });
    // The folder was deleted, or the system is out of watches: whoever polls still finds everything.
    watcher.on('error', () => watcher.close());
    return { [Symbol.dispose]: () => watcher.close() };
  }

  hush(id: ProcessId): void {
    for (const name of ['pid', 'exit']) rmSync(join(this.folder, `${id}.${name}`), { force: true });
  }

  async ringing(): Promise<ProcessId[]> {
    const ids = (await readdir(this.folder)).map(idIn);
    return [...new Set(ids.filter((id) => id !== undefined))];
  }
}
