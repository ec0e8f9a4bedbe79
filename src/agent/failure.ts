/** Classifies what a provider reports as a failure, and describes it in one sentence. */
import { APICallError } from '@ai-sdk/provider';
import type { AgentFailure } from '../ports/agent.js';
import { printable } from '../contract/display.js';

/** The provider that failed, and what its description needs. */
export type Failing = {
  readonly provider: string;
  readonly now: number;
  readonly redact: (text: string) => string;
};

const WHY: Record<AgentFailure['failed'], (provider: string) => string> = {
  'rate-limited': (provider) => `${provider} rate-limited the request`,
  overloaded: (provider) => `${provider} is overloaded`,
  unreachable: (provider) => `${provider} cannot be reached`,
  credentials: (provider) => `${provider} rejected the credentials`,
  'no-credit': (provider) => `${provider} reports that no credit is left`,
  refused: (provider) => `${provider} refused the request`,
  'broken-off': (provider) => `The answer of ${provider} was cut off`,
  aborted: () => 'The turn was stopped',
};

export function failureOf(error: unknown, failing: Failing): AgentFailure {
  const failed = kindOf(error);
  const retryAfterMs = retryAfterOf(error, failing.now);
  return { ...failureAs(failed, messageOf(error), failing), ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** The provider's message may repeat secrets: it is redacted before it is cut. */
export function failureAs(failed: AgentFailure['failed'], message: string, failing: Failing): AgentFailure {
  const told = printable(failing.redact(message));
  const why = WHY[failed](failing.provider);
  return { failed, why: told === '' ? `${why}.` : `${why}: ${told.length > 300 ? `${told.slice(0, 300)}…` : told}` };
}

function kindOf(error: unknown): AgentFailure['failed'] {
  if (APICallError.isInstance(error) && error.statusCode !== undefined) {
    const words = `${error.message} ${error.responseBody ?? ''}`;
    return kindOfWords(words, 'no-credit') ?? kindOfStatus(error.statusCode);
  }
  if (APICallError.isInstance(error)) return 'unreachable';
  // Unreadable answers come from proxies and from servers that are going down.
  return kindOfWords(textOf(error)) ?? 'overloaded';
}

/** What providers write into a status of another meaning, or into a stream that has no status any more. */
const SPOKEN: readonly (readonly [AgentFailure['failed'], RegExp])[] = [
  ['no-credit', /insufficient_quota|credit balance is too low|billing_error|insufficient (?:credits|balance)/i],
  ['rate-limited', /rate_limit/i],
  ['overloaded', /overloaded|server_error|api_error|internal_error|unavailable|timeout_error/i],
  ['credentials', /authentication_error|permission_error|invalid_api_key|AI_LoadAPIKey/i],
  [
    'refused',
    /invalid_request_error|not_found_error|request_too_large|context_length_exceeded|AI_InvalidPrompt|AI_Unsupported/i,
  ],
  ['unreachable', /ECONN|ETIMEDOUT|EPIPE|EAI_AGAIN|ENOTFOUND|UND_ERR|\bterminated\b|other side closed/],
];

const kindOfWords = (words: string, only?: AgentFailure['failed']): AgentFailure['failed'] | undefined =>
  SPOKEN.find(([kind, spoken]) => (only === undefined || kind === only) && spoken.test(words))?.[0];

function kindOfStatus(status: number): AgentFailure['failed'] {
  if (status === 429) return 'rate-limited';
  if (status === 401 || status === 403) return 'credentials';
  if (status === 402) return 'no-credit';
  return status >= 500 || status === 408 || status === 409 ? 'overloaded' : 'refused';
}

function messageOf(error: unknown): string {
  if (APICallError.isInstance(error) && error.statusCode !== undefined)
    return `${error.message || 'it gave no reason'} (status ${error.statusCode})`;
  if (error instanceof Error) return error.message;
  return hasMessage(error) ? error.message : textOf(error);
}

const hasMessage = (error: unknown): error is { readonly message: string } =>
  typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string';

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : (JSON.stringify(error) ?? '');
  return `${error.name} ${error.message} ${error.cause === undefined ? '' : textOf(error.cause)}`;
}

/** Milliseconds, seconds or a date: providers use all three. */
function retryAfterOf(error: unknown, now: number): number | undefined {
  const headers = APICallError.isInstance(error) ? error.responseHeaders : undefined;
  const ms = Number(headers?.['retry-after-ms'] ?? Number.NaN);
  const text = headers?.['retry-after'] ?? '';
  const seconds = text.trim() === '' ? Number.NaN : Number(text);
  const found = [ms, seconds * 1_000, Date.parse(text) - now].find((value) => Number.isFinite(value));
  return found === undefined ? undefined : Math.max(0, Math.ceil(found));
}
