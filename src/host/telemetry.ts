/** What becomes of the runtime's events: a line in the log, a figure for Prometheus. */
import { writeFileSync } from 'node:fs';
import { pino, type Logger } from 'pino';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RuntimeEvent, Tell } from '../runtime/events.js';

export type Telemetry = {
  readonly tell: Tell;
  readonly log: Logger;
  readonly figures: Registry;
  readonly watchRunning: (count: () => number) => void;
};

export function telemetry(level: string, redact: (text: string) => string): Telemetry {
  const log = pino(
    {
      level,
      base: { pid: process.pid },
      hooks: { streamWrite: redact },
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    { write: (line) => writeLine(line) },
  );
  const figures = new Registry();
  // The lag of the event loop is sampled by a timer of its own; a finer one would keep an idle host busy.
  collectDefaultMetrics({ register: figures, eventLoopMonitoringPrecision: 1_000 });
  const registers = [figures];
  const started = new Counter({ name: 'rouse_processes_started_total', help: 'Processes started', registers });
  const refused = new Counter({ name: 'rouse_starts_refused_total', help: 'Starts refused', registers });
  const ended = new Counter({
    name: 'rouse_processes_ended_total',
    help: 'Processes ended, by how',
    labelNames: ['kind'],
    registers,
  });
  const released = new Counter({
    name: 'rouse_output_released_bytes_total',
    help: 'Bytes of output released because of the quota',
    registers,
  });
  const admitted = new Counter({
    name: 'rouse_notices_admitted_total',
    help: 'Notices admitted, by kind',
    labelNames: ['kind'],
    registers,
  });
  const settled = new Counter({
    name: 'rouse_notices_settled_total',
    help: 'Changes of what became of a notice, by state',
    labelNames: ['state'],
    registers,
  });
  const carried = new Counter({
    name: 'rouse_notices_carried_total',
    help: 'Attempts to hand a notice to a webhook, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const turns = new Counter({
    name: 'rouse_turns_ended_total',
    help: 'Turns ended, by how',
    labelNames: ['reason'],
    registers,
  });
  const found = new Counter({
    name: 'rouse_turns_found_total',
    help: 'Turns that the last host left, by what became of them',
    labelNames: ['verdict'],
    registers,
  });
  const pushed = new Counter({
    name: 'rouse_pushes_total',
    help: 'Attempts to tell a browser whose page is closed, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const cutOff = new Counter({
    name: 'rouse_requests_cut_off_total',
    help: 'Requests that their sender cut off',
    registers,
  });
  const crowdedOut = new Counter({
    name: 'rouse_connections_crowded_out_total',
    help: 'Connections without a credential that made room for others',
    registers,
  });
  const faults = new Counter({ name: 'rouse_faults_total', help: 'Faults inside the host', registers });
  const startSeconds = new Histogram({
    name: 'rouse_start_seconds',
    help: 'From the request to the running command',
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5],
    registers,
  });
  const endSeconds = new Histogram({
    name: 'rouse_end_seconds',
    help: 'From the end of a command to its stored end',
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5],
    registers,
  });

  const count = (event: RuntimeEvent): void => {
    switch (event.kind) {
      case 'processStarted':
        started.inc();
        return startSeconds.observe(event.tookMs / 1_000);
      case 'startRefused':
        return refused.inc();
      case 'processEnded':
        ended.inc({ kind: event.end.kind });
        return endSeconds.observe(Math.max(0, event.afterMs) / 1_000);
      case 'outputReleased':
        return released.inc(event.bytes);
      case 'noticeAdmitted':
        return admitted.inc({ kind: event.of });
      case 'noticeSettled':
        return settled.inc({ state: event.state });
      case 'noticeCarried':
        return carried.inc({ outcome: event.outcome });
      case 'turnBegan':
        return;
      case 'turnEnded':
        return turns.inc({ reason: event.reason });
      case 'turnFound':
        return found.inc({ verdict: event.verdict });
      case 'pushed':
        return pushed.inc({ outcome: event.outcome });
      case 'turnedAway':
        return (event.why === 'cutOff' ? cutOff : crowdedOut).inc();
      case 'fault':
        return faults.inc();
      case 'stopAsked':
      case 'survivorsLeft':
      case 'outputNotReleasable':
      case 'outputDamaged':
      case 'recovered':
      case 'strangerFolder':
      case 'forgotten':
      case 'mcpServerAbsent':
      case 'turnedAwayLately':
        return;
    }
  };

  return {
    log,
    figures,
    tell: (event) => {
      count(event);
      const { kind, ...rest } = event;
      if (kind === 'fault') log.error({ err: event.error, during: event.during }, 'fault');
      else if (alarming.has(kind)) log.warn(rest, kind);
      else log[quiet.has(kind) ? 'debug' : 'info'](rest, kind);
    },
    watchRunning: (running) => {
      const unfinished = new Gauge({
        name: 'rouse_processes_unfinished',
        help: 'Processes that have not ended',
        registers: [],
      });
      Object.assign(unfinished, { collect: () => unfinished.set(running()) });
      figures.registerMetric(unfinished);
    },
  };
}

/** Written at once: a log that is lost with the host it explains is no use. */
function writeLine(line: string): void {
  try {
    writeFileSync(STDERR, line);
  } catch {
    // EIO, EPIPE, ENOSPC: a closed terminal, a reader that is gone, a full disk. None of them may end the host.
  }
}

const STDERR = 2;

const alarming = new Set<RuntimeEvent['kind']>([
  'survivorsLeft',
  'outputNotReleasable',
  'outputDamaged',
  'strangerFolder',
  'mcpServerAbsent',
  'turnedAwayLately',
]);
const quiet = new Set<RuntimeEvent['kind']>(['outputReleased', 'turnedAway']);
