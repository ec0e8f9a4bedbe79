import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Connections, TurnedAway } from '../../src/http/connections.js';
import type { RuntimeEvent } from '../../src/runtime/events.js';
import { FakeClock } from '../agent/fake-clock.js';

class Line extends EventEmitter {
  open = true;

  destroy(): void {
    this.open = false;
    this.emit('close');
  }
}

function crowd(most: number) {
  const connections = new Connections(() => undefined, most * 4);
  const opened = (): Line & Socket => {
    const line = new Line() as Line & Socket;
    connections.opened(line);
    return line;
  };
  const asks = (line: Socket): ServerResponse => {
    const response = new EventEmitter() as ServerResponse;
    connections.asked(line, response);
    return response;
  };
  return { connections, opened, asks };
}

const open = (lines: readonly Line[]): readonly boolean[] => lines.map((line) => line.open);

test('one stranger more than there is room for takes the place of the one that is idle longest', () => {
  const { opened, asks } = crowd(3);
  const [first, second, third] = [opened(), opened(), opened()];
  asks(first).emit('close');
  const fourth = opened();
  expect(open([first, second, third, fourth])).toEqual([true, false, true, true]);
});

test('a stranger who is being answered stays as long as another is idle', () => {
  const { opened, asks } = crowd(2);
  const [first, second] = [opened(), opened()];
  asks(first);
  const third = opened();
  expect(open([first, second, third])).toEqual([true, false, true]);
  asks(third);
  const fourth = opened();
  expect(open([first, third, fourth])).toEqual([false, true, true]);
});

test('a connection that brought a credential stays, however many strangers come', () => {
  const { connections, opened, asks } = crowd(2);
  const owner = opened();
  const response = asks(owner);
  connections.admit(owner);
  response.emit('close');
  const strangers = Array.from({ length: 10 }, opened);
  expect(owner.open).toBe(true);
  expect(strangers.filter((line) => line.open)).toHaveLength(2);
});

test('a connection that was closed takes no room', () => {
  const { opened } = crowd(2);
  const [first, second] = [opened(), opened()];
  second.destroy();
  const third = opened();
  expect(open([first, third])).toEqual([true, true]);
});

test('what strangers cause is reported once a minute', () => {
  const clock = new FakeClock();
  const told: RuntimeEvent[] = [];
  const turnedAway = new TurnedAway(clock, (event) => told.push(event));
  const reports = () => told.filter(({ kind }) => kind === 'turnedAwayLately');
  for (let count = 0; count < 500; count++) turnedAway.count('cutOff');
  turnedAway.count('crowdedOut');
  clock.advance(59_999);
  expect(reports()).toEqual([]);
  clock.advance(1);
  expect(reports()).toEqual([{ kind: 'turnedAwayLately', cutOff: 500, crowdedOut: 1 }]);
  clock.advance(600_000);
  expect(reports()).toHaveLength(1);
  turnedAway.count('cutOff');
  clock.advance(60_000);
  expect(reports().at(-1)).toEqual({ kind: 'turnedAwayLately', cutOff: 1, crowdedOut: 0 });
});
