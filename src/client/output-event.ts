import { ProcessAnswer, type ProcessView } from '../contract/process.js';
import { OutputPage } from '../contract/output.js';
import type { StreamEvent } from './event-stream.js';

/** What `follow` tells of one output. */
export type OutputEvent =
  | { readonly kind: 'output'; readonly page: OutputPage }
  | { readonly kind: 'end'; readonly process: ProcessView }
  | { readonly kind: 'refused'; readonly why: string };

/** Nothing for a kind that a newer host may tell. */
export function outputEvent({ event, data }: StreamEvent): OutputEvent | undefined {
  switch (event) {
    case 'output':
      return { kind: 'output', page: OutputPage.parse(data) };
    case 'end':
      return { kind: 'end', process: ProcessAnswer.parse(data).process };
    case 'refused':
      return { kind: 'refused', why: (data as { why: string }).why };
    default:
      return undefined;
  }
}
