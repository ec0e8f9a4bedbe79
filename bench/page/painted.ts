/**
 * From an entry to its paint. The entry says when it was made, which is before it was stored; the page says when the
 * frame that shows it is over. Both by the same clock of the same machine, to the millisecond. One at a time: the turn
 * before is over, and the page has come to rest.
 */
import { rouse } from '../rouse.js';
import { onStage } from '../stage.js';
import { pause } from '../wait.js';
import { visit, withBrowser } from './visitor.js';

const SETTLE_MS = 200;

type Paint = { readonly text: string; readonly at: number };

export const painted = (count: number): Promise<readonly number[]> =>
  withBrowser((browser) =>
    onStage(rouse(), 0, async ({ field }) => {
      const page = await visit(browser, field);
      const session = await field.session({ title: 'Paint' });
      await page.goto(`${field.url}/#/sessions/${session}`);
      await page.getByRole('textbox', { name: 'Message' }).waitFor();
      await page.evaluate(watchForMarks);
      const took: number[] = [];
      for (let number = 0; number < count; number++) {
        const mark = `mark-${number}-`;
        await pause(SETTLE_MS);
        await field.ask('POST', `/api/sessions/${session}/messages`, { text: mark });
        const paint = await (
          await page.waitForFunction(
            (wanted) => (globalThis as unknown as { paints: Paint[] }).paints.find(({ text }) => text === wanted),
            mark,
          )
        ).jsonValue();
        const { entries } = await field.ask<{ entries: { at: string; text?: string }[] }>(
          'GET',
          `/api/sessions/${session}?entries=20`,
        );
        const entry = entries.find(({ text }) => text === mark);
        if (entry && paint) took.push(paint.at - Date.parse(entry.at));
      }
      return took;
    }),
  );

/**
 * Runs in the page: notes for each mark when the frame that drew it is over. What changes within a frame is painted at its
 * end, and what changes between two at the end of the next.
 */
const watchForMarks = `(() => {
  const paints = (globalThis.paints = []);
  const known = new Set();
  const [drawn, early] = [[], []];
  let inFrame = false;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    inFrame = false;
    for (const text of drawn.splice(0)) paints.push({ text, at: Date.now() });
  };
  const frame = () => {
    inFrame = true;
    drawn.push(...early.splice(0));
    port2.postMessage(undefined);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  new MutationObserver(() => {
    for (const text of document.querySelector('[role=feed]')?.textContent.match(/mark-\\d+-/g) ?? []) {
      if (known.has(text)) continue;
      known.add(text);
      (inFrame ? drawn : early).push(text);
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
})()`;
