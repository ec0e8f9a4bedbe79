/** Adds files to the session, and their paths to the draft. */
import { signal } from '@preact/signals';
import type { SessionId } from 'rouse/contract/ids';
import { host, reasonOf } from '../../state/host';
import { showMessage } from '../../state/messages';
import { insert } from './draft';

/** How many uploads are running. */
export const uploading = signal(0);

export async function give(session: SessionId, files: readonly File[]): Promise<void> {
  uploading.value += files.length;
  for (const file of files) {
    try {
      const { file: given } = await host.putFile(session, file.name, file);
      insert(session, given.path);
    } catch (error) {
      showMessage({ tone: 'trouble', text: `Could not add ${file.name} to the session: ${reasonOf(error)}` });
    }
    uploading.value -= 1;
  }
}
