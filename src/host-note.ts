/**
 * `host.json`: where the host of a home is. A hint, never a lock: a killed host leaves it behind, and another program may
 * have its pid and its port by then. So nothing is sent to the address, least of all the token, before it is proven that
 *
 *   1. the process that wrote the note lives: the same pid, start time and boot;
 *   2. that very process listens on the port.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

export type HostNote = {
  readonly pid: number;
  /** When the kernel started it, in clock ticks since the boot. Hosts before 0.2 did not say. */
  readonly startTime?: string;
  readonly boot?: string;
  readonly url: string;
  readonly version: string;
  readonly startedAt: string;
};

export const NOTE = 'host.json';

const bootOf = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();

/** The identity of this process, as it stands in a note. */
export const ownIdentity = (): Pick<HostNote, 'pid' | 'startTime' | 'boot'> => ({
  pid: process.pid,
  startTime: startTimeOf(process.pid) ?? '',
  boot: bootOf(),
});

/** The content of the file, if it is a valid note. */
export function readNote(home: string): HostNote | undefined {
  try {
    const note = JSON.parse(readFileSync(join(home, NOTE), 'utf8')) as Partial<HostNote> | null;
    return note && Number.isSafeInteger(note.pid) && URL.canParse(note.url ?? '') ? (note as HostNote) : undefined;
  } catch {
    // ENOENT: no host has left a note. Anything else is not a note.
    return undefined;
  }
}

/** Whether the process that wrote the note still lives, as far as the note says who it is. */
export function isAlive({ pid, startTime, boot }: HostNote): boolean {
  const living = startTimeOf(pid);
  return living !== undefined && (startTime === undefined || (living === startTime && boot === bootOf()));
}

/** Whether it also listens where the note says. If we may not see its files, being alive is enough. */
export function isListening(note: HostNote): boolean {
  if (!isAlive(note)) return false;
  const sockets = listeningOn(Number(new URL(note.url).port || 80));
  const folder = `/proc/${note.pid}/fd`;
  try {
    return readdirSync(folder).some((file) => sockets.has(linkOf(join(folder, file))));
  } catch {
    // EACCES, ENOENT.
    return note.startTime !== undefined && isAlive(note);
  }
}

/** undefined for a dead process, and for a zombie, which no longer serves. */
function startTimeOf(pid: number): string | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ['Z', 'X', ''].includes(fields[0] ?? '') ? undefined : fields[19];
}

/** Lines of /proc/net/tcp: `0: 0100007F:1DF9 00000000:0000 0A …`, the port in hexadecimal, 0A for listening, the inode tenth. */
function listeningOn(port: number): ReadonlySet<string> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = ['tcp', 'tcp6'].flatMap((name) => textOf(`/proc/net/${name}`).split('\n'));
  const fields = lines.map((line) => line.trim().split(/\s+/));
  return new Set(
    fields
      .filter(([, local, , state]) => local?.endsWith(suffix) && state === '0A')
      .map(([, , , , , , , , , inode]) => `socket:[${inode}]`),
  );
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // ENOENT, ESRCH: it is gone.
    return '';
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // ENOENT: it was closed meanwhile.
    return '';
  }
}
