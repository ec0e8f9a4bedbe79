/** (g) Sessions and turns: how soon an agent is woken, and what sessions, turns and long journals cost. */
import { median, percentile } from './numbers.js';
import type { Findings, Part } from './part.js';
import { atMost, bound, kb, ms, only, whole } from './report.js';
import { idleSessionsKb } from './turns/idle-sessions.js';
import { longJournal } from './turns/long-journal.js';
import { streamed } from './turns/stream.js';
import { wakes } from './turns/wakes.js';

export const turns: Part = {
  name: 'turns',
  async measure(_, plan) {
    const findings = [
      await wakeFindings(plan.wakes),
      await idleFindings(plan.idleSessions),
      await streamFindings(plan.streamRounds, plan.streamDeltas),
      await journalFindings(plan.journalEntries, plan.journalRounds),
    ];
    return {
      rows: findings.flatMap(({ rows }) => rows),
      verdicts: findings.flatMap(({ verdicts }) => verdicts),
    };
  },
};

async function wakeFindings(count: number): Promise<Findings> {
  const all = await wakes(count);
  const words = all.map(({ wordsMs }) => wordsMs);
  const stored = median(all.map(({ storedMs }) => storedMs));
  return {
    rows: [
      only('exit to the first words of the wake, p50', ms(median(words))),
      only('… p99', ms(percentile(words, 0.99))),
      only('… the exit stored, p50', ms(stored)),
    ],
    verdicts: [bound('exit to the first words of the wake, p50: under 30 ms', median(words), 30, 'ms')],
  };
}

async function idleFindings(count: number): Promise<Findings> {
  const grown = await idleSessionsKb(count);
  return {
    rows: [only(`memory of ${whole(count)} idle sessions`, kb(grown))],
    verdicts: [bound(`${whole(count)} idle sessions: under 50 MB`, grown / 1_024, 50, 'MB')],
  };
}

const MS_A_DELTA = 1.5;

async function streamFindings(rounds: number, deltas: number): Promise<Findings> {
  const { turnMs, bareMs, hostCpuMs } = await streamed(rounds, { deltas, overMs: deltas * MS_A_DELTA });
  return {
    rows: [
      only(`a turn over ${whole(deltas)} deltas of a model`, ms(turnMs)),
      only('… reading the same bare', ms(bareMs)),
      only('… CPU of the host', ms(hostCpuMs)),
    ],
    verdicts: [atMost('a turn: at most 1.05 of reading the model bare', turnMs, bareMs, 1.05)],
  };
}

async function journalFindings(entries: number, rounds: number): Promise<Findings> {
  const { short, long, whole: uncut } = await longJournal(entries, rounds);
  const many = whole(entries);
  return {
    rows: [
      only('a session of 100 entries shown, p50', ms(short.openMs)),
      only(`… of ${many}`, ms(long.openMs)),
      only('a session of 100 entries goes on, a turn, p50', ms(short.continueMs)),
      only(`… of ${many}`, ms(long.continueMs)),
      only(`… of ${many}, not compacted before, the first`, ms(uncut.firstMs)),
      only('… the next, p50', ms(uncut.continueMs)),
    ],
    verdicts: [
      atMost(`${many} entries: shown within 2× of 100`, long.openMs, short.openMs, 2),
      atMost(`${many} entries: go on within 2× of 100`, long.continueMs, short.continueMs, 2),
      atMost(`${many} entries, not compacted before: the same`, uncut.continueMs, short.continueMs, 2),
    ],
  };
}
