/** All of an output that there is at this moment, from its first byte on, in pages. */
import { PAGE_BYTES, type OutputPage } from '../../contract/output.js';
import { isRefusal, type Refusal } from '../../contract/refusal.js';
import type { ProcessRecord } from '../../ports/store.js';
import type { OutputReader } from './output.js';

export async function* wholeOutput(
  reader: OutputReader,
  current: () => Promise<ProcessRecord | undefined>,
): AsyncGenerator<OutputPage | Refusal> {
  for (let at = 0, end = Infinity; at < end;) {
    // Asked for every page: what was whole a moment ago may have been released since.
    const record = await current();
    if (!record) return;
    const page = await reader.page(record, { offset: at, limit: PAGE_BYTES });
    if (isRefusal(page)) return yield page;
    if (page.to === at) return;
    yield page;
    at = page.to;
    end = Math.min(end, page.size);
  }
}
