/** Reads and writes the person's own files. What is read is shown as it is. */
import { constants } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, open, rename, rm, writeFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve, basename, sep } from 'node:path';
import { z } from 'zod';
import { printable } from '../../../contract/display.js';
import { protection } from '../../../domain/approval/vital-path.js';
import { answered, failed, tool, type Tool, type ToolOutcome } from './tool.js';
import { objection, type Act, type ApprovalParts } from './approval.js';
import { fenceAround } from '../../../domain/notice/notice-block.js';
import { errno } from '../../../errno.js';

export type FileParts = {
  /** What relative paths start from. */
  readonly workdir: string;
  /** What `~` means. */
  readonly home: string;
  /** The home of Rouse: no file there is written, and its token is not read. */
  readonly rouseHome: string;
  /** The umask of the person's own programs: the host's own is narrower. */
  readonly umask: number;
  readonly approval: ApprovalParts;
};

const FILE_BYTES = 10_485_760;
const PAGE_LINES = 2_000;

const path = z
  .string()
  .min(1, 'it is empty')
  .max(4_096, { abort: true, error: 'it is longer than 4,096 characters' })
  .refine((text) => !text.includes('\0'), 'it holds a NUL')
  .describe('Absolute, relative to the working folder, or in the home folder with ~/.');

const ReadInput = z.strictObject({
  path,
  offset: z.int().min(0).default(0).describe('The first line, counted from 0.'),
  limit: z.int().min(1).max(PAGE_LINES).default(PAGE_LINES).describe('How many lines.'),
});

const WriteInput = z.strictObject({
  path,
  content: z.string().max(FILE_BYTES, 'it is longer than 10 MiB').describe('The whole content of the file.'),
});

export const readFileTool = (parts: Omit<FileParts, 'approval'>): Tool =>
  tool('read_file', 'Reads a text file, by lines.', ReadInput, ({ path, ...page }) =>
    reported('read', path, async () => {
      const text = await textOf(absolute(path, parts), parts);
      return 'why' in text
        ? failed(`${named(path)} was not read: ${text.why}.`)
        : filePage(named(path), text.text, page);
    }),
  );

export const writeFileTool = (parts: FileParts): Tool =>
  tool(
    'write_file',
    'Writes a whole text file and replaces what it held. Creates missing folders.',
    WriteInput,
    ({ path, content }, context) =>
      reported('written', path, async () => {
        const given = absolute(path, parts);
        const target = await realOf(given);
        const why = await whyNotWritten(target, parts);
        if (why) return failed(`${named(path)} was not written: ${why}.`);
        const { approval } = parts;
        const objected = await objection(writing([target, given], content, approval), context, approval);
        if (objected) return failed(objected);
        // The approval may have taken long: the path must still lead to what was approved.
        if ((await realOf(given)) !== target) return failed(`${named(path)} was not written: it leads elsewhere now.`);
        await writeWhole(target, content, parts.umask);
        return answered(`${named(path)} was written: ${Buffer.byteLength(content)} bytes.`);
      }),
  );

/** The longest content that a question shows whole; the call in the journal holds all of it. */
const SHOWN_CHARACTERS = 20_000;

function writing(paths: readonly [string, string], content: string, { homes }: ApprovalParts): Act {
  const [target] = paths;
  const rest = content.length - SHOWN_CHARACTERS;
  const text = rest > 0 ? `${content.slice(0, SHOWN_CHARACTERS)}\n(and ${rest} more characters)` : content;
  const whyRisky = () => {
    const why = paths.map((path) => protection(path, homes)).find((found) => found !== undefined);
    return why && `it writes ${printable(target)}: ${why}`;
  };
  return {
    kind: 'file',
    command: target,
    cwd: dirname(target),
    place: 'local',
    shown: `${target}\n\n${text}`,
    whyRisky,
  };
}

/** A shell would expand `~`; a model that writes it means the same. */
const absolute = (path: string, { workdir, home }: Pick<FileParts, 'workdir' | 'home'>): string =>
  resolve(
    workdir,
    path.replace(/^~(?=\/|$)/, () => home),
  );

const named = (path: string): string => printable(path);

/** Reports what the system refuses like what we refuse. */
async function reported(done: string, path: string, work: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  try {
    return await work();
  } catch (error) {
    const why = refusalOf(error);
    if (why === undefined) throw error;
    return failed(`${named(path)} was not ${done}: ${why}.`);
  }
}

type Text = { readonly text: string } | { readonly why: string };

async function textOf(path: string, { rouseHome }: Pick<FileParts, 'rouseHome'>): Promise<Text> {
  const real = await realOf(path);
  // /proc describes the reader, which would be the host with its keys.
  if (await isWithin('/proc', real)) return { why: 'it is no file on a disk; use terminal for it' };
  if (await isSameFile(real, join(rouseHome, 'token'))) return { why: 'it is the token of Rouse' };
  const found = await statOf(real);
  if (found && !found.isFile()) return { why: found.isDirectory() ? 'it is a folder' : 'it is no regular file' };
  if (found && found.size > FILE_BYTES) return { why: 'it is larger than 10 MiB; read a part of it with terminal' };
  // A file may have become a pipe meanwhile, which would block.
  await using file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK);
  const bytes = await file.readFile();
  return bytes.subarray(0, SAMPLE_BYTES).includes(0)
    ? { why: `it is not text but binary, ${bytes.length} bytes` }
    : { text: bytes.toString('utf8') };
}

/** A file with a NUL in its first bytes is not text. */
const SAMPLE_BYTES = 8_192;

async function whyNotWritten(target: string, { rouseHome }: FileParts): Promise<string | undefined> {
  if (await isWithin(rouseHome, target)) return 'it is in the home of Rouse, which is not for agents to write in';
  const found = await statOf(target);
  if (!found || found.isFile()) return undefined;
  return found.isDirectory() ? 'it is a folder' : 'it is no regular file';
}

/** Written to a new file and moved into place: after a crash there is the old content or the new. */
async function writeWhole(target: string, content: string, umask: number): Promise<void> {
  await makeFolder(dirname(target), umask);
  const before = await statOf(target);
  const temporary = await mkdtemp(join(dirname(target), '.rouse-'));
  try {
    const written = join(temporary, 'content');
    await writeFile(written, content, { flush: true });
    if (before) await chown(written, before.uid, before.gid);
    await chmod(written, before ? before.mode & 0o7777 : 0o666 & ~umask);
    await rename(written, target);
  } finally {
    await rm(temporary, { recursive: true });
  }
}

async function makeFolder(path: string, umask: number): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  for (let made = path; made.startsWith(first); made = dirname(made)) await chmod(made, 0o777 & ~umask);
}

const CHARACTERS = 100_000;

function filePage(
  name: string,
  text: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): ToolOutcome {
  if (text === '') return answered(`${name} is empty.`);
  const lines = text.replace(/\n$/, '').split('\n');
  const shown = fitting(lines.slice(offset, offset + limit));
  if (shown.length === 0) return answered(`${name} has ${lines.length} lines; there is none from ${offset} on.`);
  const next = offset + shown.length;
  const onwards = next < lines.length ? `; read on with offset ${next}` : '';
  const page = shown.join('\n');
  const cut = page.length > CHARACTERS ? ', cut: the line is too long to be shown whole' : '';
  const fence = fenceAround(page);
  return answered([
    `${name}, lines ${offset} to ${next - 1} of ${lines.length}${cut}${onwards}:`,
    fence,
    page.slice(0, CHARACTERS),
    fence,
  ]);
}

/** As many of the first lines as fit, and one at least. */
function fitting(lines: readonly string[]): readonly string[] {
  let room = CHARACTERS;
  const over = lines.findIndex((line) => (room -= line.length + 1) < 0);
  return over < 0 ? lines : lines.slice(0, Math.max(1, over));
}

/** With links followed as far as it exists; what is not there yet is where it would be made. */
async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if (errno(error) !== 'ENOENT' || parent === path) throw error;
    return join(await realOf(parent), basename(path));
  }
}

const isWithin = async (folder: string, real: string): Promise<boolean> =>
  `${real}${sep}`.startsWith(`${await realOf(folder)}${sep}`);

/** By whatever name: a second link to a file is the same file. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([statOf(one), statOf(other)]);
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

/** Undefined when there is none. */
const statOf = (path: string) =>
  stat(path).catch((error: unknown) => {
    if (errno(error) === 'ENOENT') return undefined;
    throw error;
  });

/** What the system refused, in words for the model; undefined for what is no refusal of the system. */
function refusalOf(error: unknown): string | undefined {
  const code = errno(error);
  return code === undefined || !/^E[A-Z]+$/.test(code) ? undefined : (WORDS[code] ?? `the system says ${code}`);
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'that is not permitted',
  EPERM: 'that is not permitted',
  EROFS: 'the disk is read-only',
  ENOSPC: 'there is no room on the disk',
  EDQUOT: 'there is no room on the disk',
  ELOOP: 'its links go in a circle',
  ENAMETOOLONG: 'the name is too long',
};
