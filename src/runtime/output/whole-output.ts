/** All of an output that there is at this moment, from its first byte on, in pages. */
import type { OutputPage } from '../../contract/output.js';
import { isRefusal, type Refusal } from '../../contract/refusal.js';
import { releasedBytes } from '../../domain/output/quota.js';
import type { ProcessRecord } from '../../ports/store.js';
import type { OutputReader } from './output.js';

const PAGE_BYTES = 262_144;

/** What is released of a page is missing at its beginning. */
export async function* wholeOutput(
  reader: OutputReader,
  current: () => Promise<ProcessRecord | undefined>,
): AsyncGenerator<OutputPage | Refusal> {
  for (let at = 0, end = Infinity; at < end;) {
    // Asked for every page: what was whole a moment ago may have been released since.
    const record = await current();
    if (!record) return;
    const hasHole = releasedBytes(record.released) > 0;
    const beforeHole = hasHole ? record.released.from - at : 0;
    const stretch = await reader.bytes(record, at, beforeHole > 0 ? Math.min(beforeHole, PAGE_BYTES) : PAGE_BYTES);
    if (isRefusal(stretch)) return yield stretch;
    // Then the hole opened just now, perhaps in the middle of this page.
    if (stretch.released > 0 && !hasHole) continue;
    const page = await reader.shown(record, stretch, false);
    if (page.to === at) return;
    yield page;
    at = page.to;
    end = Math.min(end, page.size);
  }
}
