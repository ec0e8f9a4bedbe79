/**
 * The page, as it was built into a folder.
 *
 *   1. What is served is looked up in a list that was made when the host started: no request ever becomes a path.
 *   2. A file is read and packed when it is first asked for, and then kept.
 *   3. A file whose name holds its digest may be kept for ever; all others are asked for again every time.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'hono';
import type { Bindings } from './guard.js';
import { problem } from './problem.js';

type Packing = 'gzip' | 'none';
type FileKind = { readonly type: string; readonly packing: Packing };

const KINDS: Readonly<Record<string, FileKind>> = {
  '.html': { type: 'text/html; charset=utf-8', packing: 'gzip' },
  '.js': { type: 'text/javascript; charset=utf-8', packing: 'gzip' },
  '.css': { type: 'text/css; charset=utf-8', packing: 'gzip' },
  '.svg': { type: 'image/svg+xml', packing: 'gzip' },
  '.webmanifest': { type: 'application/manifest+json', packing: 'gzip' },
  '.json': { type: 'application/json', packing: 'gzip' },
  '.png': { type: 'image/png', packing: 'none' },
  '.woff2': { type: 'font/woff2', packing: 'none' },
};

/** Inline styles are allowed because the terminal view creates its own; inline scripts are not. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types rouse',
].join('; ');

const CLOSED = ['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'payment', 'serial', 'usb'];

const HEADERS = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': CLOSED.map((feature) => `${feature}=()`).join(', '),
};

type Listed = { readonly file: string; readonly kind: FileKind };
type PageFile = { readonly type: string; readonly tag: string; readonly plain: Buffer; readonly packed?: Buffer };

const pack = promisify(gzip);

export class Page {
  /** By the path in the address. */
  readonly #list: ReadonlyMap<string, Listed>;
  readonly #read = new Map<string, Promise<PageFile>>();

  constructor(folder: string) {
    this.#list = new Map(listOf(folder).map((listed) => [addressOf(relative(folder, listed.file)), listed]));
  }

  /** The page itself is always there, if only to say that it was not built. */
  has(path: string): boolean {
    return path === '/' || this.#list.has(path);
  }

  async answer({ req }: Context<Bindings>): Promise<Response | undefined> {
    const file = await this.#file(req.path);
    if (!file) return req.path === '/' ? NOT_BUILT() : undefined;
    const headers = {
      ...HEADERS,
      'content-type': file.type,
      'cache-control': req.path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      etag: file.tag,
      vary: 'accept-encoding',
    };
    if (req.header('if-none-match')?.split(/,\s*/).includes(file.tag))
      return new Response(null, { status: 304, headers });
    const packed = /\bgzip\b/.test(req.header('accept-encoding') ?? '') ? file.packed : undefined;
    return new Response(packed ?? file.plain, {
      headers: packed ? { ...headers, 'content-encoding': 'gzip' } : headers,
    });
  }

  #file(path: string): Promise<PageFile> | undefined {
    const listed = this.#list.get(path);
    if (!listed) return undefined;
    const reading = this.#read.get(path) ?? read(listed);
    this.#read.set(path, reading);
    reading.catch(() => this.#read.delete(path));
    return reading;
  }
}

const NOT_BUILT = (): Response => problem(404, 'page-not-built', 'The page is not built: npm run build');

function listOf(folder: string): readonly Listed[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const kind = KINDS[extname(entry.name)];
    return kind && entry.isFile() ? [{ file: join(entry.parentPath, entry.name), kind }] : [];
  });
}

const addressOf = (name: string): string => (name === 'index.html' ? '/' : `/${name.split(sep).join('/')}`);

async function read({ file, kind: { type, packing } }: Listed): Promise<PageFile> {
  const plain = await readFile(file);
  // Weak: it names the content, in whichever packing it comes.
  const tag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { type, tag, plain, ...(packing === 'gzip' && { packed: await pack(plain) }) };
}
