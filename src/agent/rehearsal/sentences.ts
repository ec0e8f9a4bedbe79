import type { PromptMessage } from '../../ports/agent.js';
import type { Cause } from '../../contract/notice.js';
import { endInWords } from '../../contract/words.js';
import type { Progress } from './progress.js';

type ToolMessage = Extract<PromptMessage, { role: 'tool' }>;

/** What is said before the script goes on: why it was woken, what it was told on the way, how its call came out. */
export function openingOf({ news, made }: Progress): readonly string[] {
  return news.flatMap((message) => {
    if (message.role === 'notice')
      return message.causes.map((cause) => `${message.midTurn ? 'told of' : 'woken by'} ${told(cause)}`);
    if (message.role === 'tool') return outcomeOf(message, made?.command);
    return [];
  });
}

function told(cause: Cause): string {
  switch (cause.kind) {
    case 'completion':
      return withLast(`completion of ${cause.process}, ${endInWords(cause.end)}`, cause.output.text);
    case 'watch_match':
      return withLast(
        `watch_match of ${cause.process}, pattern ${JSON.stringify(cause.pattern)}${cause.end ? `, ${endInWords(cause.end)}` : ''}`,
        cause.text,
      );
    case 'message':
      return withLast('message', cause.text);
    case 'watch_disabled':
    case 'watch_overflow_tripped':
    case 'watch_overflow_released':
      return `${cause.kind} of ${cause.process}`;
  }
}

function withLast(fact: string, text: string): string {
  const last = text.trimEnd().split('\n').at(-1)?.trim();
  return last ? `${fact}: ${last}` : fact;
}

function outcomeOf({ tool, result, failed }: ToolMessage, command: string | undefined): readonly string[] {
  if (failed) return [`${tool} failed: ${firstLine(result)}`];
  if (command === undefined) return [];
  const id = /\bproc_[0-9a-z]+/.exec(result)?.[0];
  return [`I started \`${command}\` in the background${id ? ` as ${id}` : ''}.`];
}

/** For a turn that would otherwise end without a word. */
export function closingOf({ turn }: Progress): string {
  const last = turn.findLast((message) => message.role === 'tool');
  return last ? `${last.tool} answered: ${firstLine(last.result)}` : 'There is nothing to do.';
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
