/** CPU and memory of processes, computed from two samples. */
import type { ProcessId } from 'rouse/contract/ids';

export type Look = {
  readonly at: string;
  readonly usage: readonly {
    readonly process: ProcessId;
    readonly cpuMs: number;
    readonly memoryBytes: number;
    readonly processes: number;
  }[];
};

export type Load = {
  /** Percent of one core. Unknown before the second sample. */
  readonly cpu?: number;
  readonly memoryBytes: number;
  /** How many processes its tree has. */
  readonly processes: number;
};

export type Loads = ReadonlyMap<ProcessId, Load>;

export function loadsOf(before: Look | undefined, now: Look): Loads {
  const used = new Map(before?.usage.map(({ process, cpuMs }) => [process, cpuMs]));
  const passedMs = before ? Date.parse(now.at) - Date.parse(before.at) : 0;
  return new Map(
    now.usage.map(({ process, cpuMs, memoryBytes, processes }) => {
      const earlier = used.get(process);
      const known = earlier !== undefined && passedMs > 0;
      // An ended child takes its CPU time with it, so the sum may shrink.
      const cpu = known && { cpu: (Math.max(0, cpuMs - earlier) / passedMs) * 100 };
      return [process, { ...cpu, memoryBytes, processes }];
    }),
  );
}

export const percentInWords = (percent: number): string =>
  `${percent >= 0.05 && percent < 9.95 ? percent.toFixed(1) : Math.round(percent)}%`;
