/** (h) The page: how soon what is stored is painted, how many may look at once, and what it weighs. */
import { painted } from './page/painted.js';
import { firstPaint } from './page/first-paint.js';
import { watched } from './page/watched.js';
import { weights } from './page/weight.js';
import { median, percentile } from './numbers.js';
import type { Findings, Part } from './part.js';
import { bound, kb, ms, only, whole } from './report.js';

export const page: Part = {
  name: 'page',
  async measure(_, plan) {
    const findings = [
      weightFindings(),
      await paintFindings(plan.paints),
      await firstPaintFindings(plan.shownEntries, plan.firstPaints),
      await watchFindings(plan.streams, plan.streamedTurns, plan.streamedMs),
    ];
    return {
      rows: findings.flatMap(({ rows }) => rows),
      verdicts: findings.flatMap(({ verdicts }) => verdicts),
    };
  },
};

function weightFindings(): Findings {
  const { first, terminal } = weights();
  return {
    rows: [
      only('the page, compressed', kb(first / 1_024)),
      only('… the terminal, when one is opened', kb(terminal / 1_024)),
    ],
    verdicts: [bound('the page: under 300 KB without the terminal', first / 1_024, 300, 'KB')],
  };
}

async function paintFindings(count: number): Promise<Findings> {
  const all = await painted(count);
  return {
    rows: [only('entry stored to painted, p50', ms(median(all))), only('… p99', ms(percentile(all, 0.99)))],
    verdicts: [bound('entry stored to painted, p50: under 50 ms', median(all), 50, 'ms')],
  };
}

async function firstPaintFindings(entries: number, rounds: number): Promise<Findings> {
  const all = await firstPaint(entries, rounds);
  return {
    rows: [only(`first paint of a session of ${whole(entries)} entries, p50`, ms(median(all)))],
    verdicts: [bound(`a session of ${whole(entries)} entries: painted within 1 s`, median(all) / 1_000, 1, 's')],
  };
}

async function watchFindings(streams: number, turns: number, overMs: number): Promise<Findings> {
  const { worstLagMs, hostKb } = await watched(streams, turns, overMs);
  const many = `${whole(streams)} streams, ${turns} turns`;
  return {
    rows: [only(`${many}: the longest lag of any`, ms(worstLagMs)), only('… memory of the host', kb(hostKb))],
    verdicts: [
      bound(`${many}: no stream lags over 1 s`, worstLagMs / 1_000, 1, 's'),
      bound(`${many}: host under 300 MB`, hostKb / 1_024, 300, 'MB'),
    ],
  };
}
