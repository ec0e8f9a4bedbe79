/** From asking for the page of a long session to its last entry on the screen, in a tab of its own each time. */
import { SessionId } from '../../src/contract/ids.js';
import { rouse } from '../rouse.js';
import { onStage } from '../stage.js';
import { fill } from '../turns/filled.js';
import { visit, withBrowser } from './visitor.js';

const LONG = SessionId.parse('ses_long00000000000');

export const firstPaint = (entries: number, rounds: number): Promise<readonly number[]> =>
  withBrowser((browser) =>
    onStage(
      rouse({ fill: (database) => fill(database, [{ id: LONG, entries, compacted: false }]) }),
      0,
      async ({ field }) => {
        const first = await visit(browser, field);
        const took: number[] = [];
        for (let round = 0; round < rounds; round++) {
          const page = await first.context().newPage();
          await page.goto(`${field.url}/#/sessions/${LONG}`, { waitUntil: 'commit' });
          took.push(await page.evaluate<number>(sinceNavigation));
          await page.close();
        }
        return took;
      },
    ),
  );

/** Runs in the page: over one frame after the answer is there; counted from the moment the address was asked for. */
const sinceNavigation = `new Promise((resolve) => {
  const look = () => {
    const shown = document.body?.innerText.includes('The build is as it was');
    requestAnimationFrame(shown ? () => resolve(performance.now()) : look);
  };
  look();
})`;
