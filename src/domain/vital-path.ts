/** Folders whose loss is a catastrophe: the root, what lies directly in it, a home, and whatever holds one of these. */
import { UNKNOWN } from './shell-words.js';

/** An absolute path without `.`, `..` and doubled slashes. */
export function resolved(path: string, folder: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${folder}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

export const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

export function isVital(path: string, where: { readonly home: string; readonly rouseHome: string }): boolean {
  const meant = named(path);
  const depth = meant.split('/').length - 1;
  return (
    meant === '/' ||
    depth <= 1 ||
    /^\/(?:home|Users)\/[^/]+$/.test(meant) ||
    isWithin(where.home, meant) ||
    isWithin(where.rouseHome, meant) ||
    isWithin(meant, where.rouseHome)
  );
}

/** With a pattern in it a path means every folder that it may match: what comes after the pattern protects nothing. */
function named(path: string): string {
  const parts = path.split('/');
  const wild = parts.findIndex((part) => /[*?[]/.test(part) || part.includes(UNKNOWN));
  if (wild < 0) return path;
  const beginsPlain = /^\.?[^*?[.\ufffc]/.test(parts[wild] ?? '');
  return parts.slice(0, beginsPlain ? wild + 1 : wild).join('/') || '/';
}
