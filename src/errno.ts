/** The system's name for a failure, such as ENOENT. */
export const errno = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

const absent = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR']);

/** There is no such file, or something else is in its place. */
export const isAbsent = (error: unknown): boolean => absent.has(errno(error) ?? '');

const unreadable = new Set(['EACCES', 'EPERM', 'EIO', 'ENXIO', 'ENODEV', 'EINVAL', 'EFBIG', 'EOVERFLOW', 'EAGAIN']);

/** There is something, but it cannot be read. */
export const isUnreadable = (error: unknown): boolean => unreadable.has(errno(error) ?? '');
