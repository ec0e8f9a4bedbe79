/** Paths that matter more than others: whose loss is a catastrophe, or whose content decides what runs later. */
import { UNKNOWN } from './shell-word.js';

export type Homes = { readonly home: string; readonly rouseHome: string };

/** A folder that only the shell will know. */
export const SOMEWHERE = `/${UNKNOWN}`;

/** An absolute path without `.`, `..` and doubled slashes. */
export function resolved(path: string, folder: string): string {
  if (path.startsWith(UNKNOWN)) return resolved(`${SOMEWHERE}${path.slice(UNKNOWN.length)}`, '/');
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${folder}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

export const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

const SYSTEM = /^\/(?:etc|boot|bin|sbin|lib\w*|sys|dev|proc)(?:\/|$)/;
const SYSTEM_FOLDER = /^\/(?:usr|var)\/[^/]+$|^\/usr\/(?:s?bin|lib\w*|share|include)\/[^/]+$|^\/(?:home|Users)\/[^/]+$/;
const OWN_FOLDER =
  /^(?:\.ssh|\.gnupg|\.config|\.local|\.local\/share|Documents|Desktop|Downloads|Pictures|Music|Videos)$/;

/** Deleting, moving or changing all of it would be a catastrophe. */
export function isVital(path: string, homes: Homes): boolean {
  if (path.startsWith(`${SOMEWHERE}/`)) return !/^\.?[^.*?[\ufffc]/.test(path.slice(SOMEWHERE.length + 1));
  const meant = named(path);
  if (isHarmlessDevice(meant)) return false;
  return (
    meant.split('/').length <= 2 ||
    SYSTEM.test(meant) ||
    SYSTEM_FOLDER.test(meant) ||
    isWithin(homes.home, meant) ||
    OWN_FOLDER.test(below(meant, homes.home)) ||
    isWithin(homes.rouseHome, meant) ||
    isWithin(meant, homes.rouseHome)
  );
}

export const isHarmlessDevice = (path: string): boolean =>
  /^\/dev\/(?:null|zero|full|random|urandom|stdin|stdout|stderr|tty|ptmx|shm\/.+|pts\/\d+|fd\/\d+)$|^\/proc\/self\/fd\/\d+$/.test(
    path,
  );

const DISK = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|mapper|dm-|md|loop|mem|kmem|port)/;

const PROTECTED_SYSTEM =
  /^\/(?:etc|boot|bin|sbin|lib\w*|sys|dev|proc)\/|^\/usr\/(?:s?bin|lib\w*|libexec)\/|^\/(?:var\/spool\/(?:cron|at)|root\/\.ssh)(?:\/|$)/;

/** What a shell, a desktop, cron, systemd or ssh reads and obeys. */
const PROTECTED_OWN =
  /^(?:\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|mkshrc|cshrc|tcshrc|login|xprofile|xsession|xinitrc|pam_environment|inputrc)$|\.(?:ssh|gnupg)(?:\/|$)|\.config\/(?:fish|systemd|autostart|environment\.d)(?:\/|$)|\.local\/share\/systemd(?:\/|$))/;

/** Why a file should not be written without a person; undefined for any other. */
export function protection(path: string, homes: Homes): string | undefined {
  if (mayBeWithin(path, homes.rouseHome)) return 'it belongs to Rouse';
  const meant = named(path);
  if (isHarmlessDevice(meant)) return undefined;
  if (DISK.test(meant)) return 'it is a disk';
  if (PROTECTED_SYSTEM.test(meant)) return 'it belongs to the system';
  const own = below(meant, homes.home) || below(meant, '/root') || below(meant, meant.split('/').slice(0, 3).join('/'));
  return PROTECTED_OWN.test(own) ? 'it decides what runs later, or who can sign in' : undefined;
}

const below = (path: string, folder: string): string =>
  path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : '';

/** With a pattern in it a path means every folder that it may match: what comes after the pattern protects nothing. */
function named(path: string): string {
  const parts = path.split('/');
  const wild = parts.findIndex((part) => /[*?[]/.test(part) || part.includes(UNKNOWN));
  if (wild < 0) return path;
  const beginsPlain = /^\.?[^*?[.\ufffc]/.test(parts[wild] ?? '');
  return parts.slice(0, beginsPlain ? wild + 1 : wild).join('/') || '/';
}

/** Whether a path, with patterns and unknown parts in it, may lead into the folder. */
export function mayBeWithin(path: string, folder: string): boolean {
  const parts = path.split('/');
  const wanted = folder.split('/');
  return parts.length >= wanted.length && wanted.every((part, index) => mayBe(parts[index] ?? '', part));
}

/** By what stands before the first wildcard and behind the last; a bare wildcard names nothing in particular. */
function mayBe(pattern: string, name: string): boolean {
  const first = pattern.search(/[*?[\ufffc]/);
  if (first < 0) return pattern === name;
  const last = Math.max(...['*', '?', ']', UNKNOWN].map((wild) => pattern.lastIndexOf(wild)));
  if (first === 0 && (last === pattern.length - 1 || name.startsWith('.'))) return false;
  return name.startsWith(pattern.slice(0, first)) && name.endsWith(pattern.slice(last + 1));
}
