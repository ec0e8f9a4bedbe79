import { useState } from 'preact/hooks';
import type { ProcessView } from 'rouse/contract/process';
import { Icon } from '../look/icon';
import { attempt, host } from '../state/host';

/** How long the browser may read the file after the click. */
const READ_MS = 60_000;

/** Not a plain link, because the browser would send no key with it. */
export function DownloadButton({ process }: { readonly process: ProcessView }) {
  const [busy, setBusy] = useState(false);
  const download = async (): Promise<void> => {
    setBusy(true);
    const file = await attempt(async () => (await host.download(process.id)).blob());
    setBusy(false);
    if (file) save(file, `${process.id}.txt`);
  };
  return (
    <button
      class="button quiet icon"
      aria-label="Download the output"
      aria-busy={busy}
      disabled={busy}
      title={busy ? 'Downloading the output …' : 'Download the output'}
      onClick={() => void download()}
    >
      <Icon name="download" />
    </button>
  );
}

function save(file: Blob, name: string): void {
  const href = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), READ_MS);
}
