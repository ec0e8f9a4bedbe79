/** Turns runtime events into log lines and Prometheus metrics. */
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
  const count = counting(figures);
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

function counting(figures: Registry): (event: RuntimeEvent) => void {
  const registers = [figures];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: `rouse_${name}_total`, help, labelNames, registers });
  const seconds = (name: string, help: string, ...buckets: number[]) =>
    new Histogram({ name: `rouse_${name}_seconds`, help, buckets, registers });

  const started = counter('processes_started', 'Processes started');
  const refused = counter('starts_refused', 'Starts refused');
  const ended = counter('processes_ended', 'Processes ended, by how', 'kind');
  const released = counter('output_released_bytes', 'Bytes of output released because of the quota');
  const admitted = counter('notices_admitted', 'Notices admitted, by kind', 'kind');
  const settled = counter('notices_settled', 'Changes of the state of a notice, by state', 'state');
  const carried = counter('notices_carried', 'Attempts to deliver a notice to a webhook, by outcome', 'outcome');
  const turns = counter('turns_ended', 'Turns ended, by how', 'reason');
  const found = counter('turns_found', 'Turns that the last host left unfinished, by verdict', 'verdict');
  const pushed = counter('pushes', 'Attempts to notify a browser whose page is closed, by outcome', 'outcome');
  const cutOff = counter('requests_cut_off', 'Requests that their sender cut off');
  const crowdedOut = counter('connections_crowded_out', 'Connections without a credential closed to make room');
  const faults = counter('faults', 'Faults inside the host');
  const start = seconds('start', 'From the request to the running command', 0.002, 0.005, ...SLOWER);
  const end = seconds('end', 'From the end of a command to its stored end', 0.001, 0.002, 0.005, ...SLOWER);

  return (event) => {
    switch (event.kind) {
      case 'processStarted':
        started.inc();
        return start.observe(event.tookMs / 1_000);
      case 'startRefused':
        return refused.inc();
      case 'processEnded':
        ended.inc({ kind: event.end.kind });
        return end.observe(Math.max(0, event.afterMs) / 1_000);
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
}

const SLOWER = [0.01, 0.02, 0.05, 0.1, 0.5, 1, 5] as const;

/** Written synchronously, so that the log survives the host that it explains. */
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
