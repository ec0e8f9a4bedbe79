/**
 * Whose list it is: a mark of the provider, its address and the credential, which a new key for the same account does
 * not change. It is made of what is no secret: the variable that holds the key, the kind of key, and for a token that
 * says for whom it was issued, that name.
 */
import { createHash } from 'node:crypto';
import { jsonOr } from '../json.js';
import type { ProviderSettings } from '../settings.js';

export function fingerprint({ name, protocol, baseUrl, apiKey, apiKeyEnv }: ProviderSettings): string {
  const owner = [name, protocol, baseUrl, apiKeyEnv ?? '', apiKey ? identityOf(apiKey) : 'nobody'];
  return createHash('sha256').update(JSON.stringify(owner)).digest('base64url').slice(0, 22);
}

/** The longer of two that fit comes first. */
const KINDS = ['sk-ant-api', 'sk-ant-oat', 'sk-ant-admin', 'sk-ant-', 'sk-proj-', 'sk-svcacct-', 'sk-or-', 'sk-'];

const identityOf = (key: string): string => subjectOf(key) ?? KINDS.find((kind) => key.startsWith(kind)) ?? 'a key';

/** For whom a JSON Web Token was issued. It is not checked: nobody is let in by it. */
function subjectOf(key: string): string | undefined {
  const [, payload, signature] = key.split('.');
  if (!payload || !signature) return undefined;
  const claims = jsonOr(Buffer.from(payload, 'base64url').toString());
  if (typeof claims !== 'object' || claims === null) return undefined;
  const { iss, sub, aud } = claims as Record<string, unknown>;
  return JSON.stringify([iss, sub, aud]);
}
