/** Stands for a secret where the secret itself should not be: kept, or compared. */
import { createHash } from 'node:crypto';

export const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
