import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigurationError, configurationOf } from '../src/host/configuration.js';
import { newFolder } from './support/clean-up.js';

const home = newFolder();

function configured(config: object) {
  writeFileSync(join(home, 'config.json'), JSON.stringify(config));
  return configurationOf(home, {});
}

describe('the configuration', () => {
  test('W2 W3 W5 N1 N11 has the figures that the rules name, unless told otherwise', () => {
    expect(configured({})).toMatchObject({
      watch: { cooldownMs: 15_000, strikes: 3 },
      breaker: { max: 15, windowMs: 10_000, silenceMs: 30_000 },
      notices: { tailLines: 20, tailCharacters: 3_000 },
      delivery: { attempts: 8 },
    });
  });

  test('takes MCP servers as other programs know them', () => {
    const mcpServers = {
      files: { command: 'npx', args: ['-y', 'some-server'], env: { KEY: 'x' } },
      far: { url: 'https://example.org/mcp', headers: { authorization: 'Bearer x' } },
    };
    expect(configured({ mcpServers }).mcpServers).toEqual(mcpServers);
    expect(configured({}).mcpServers).toEqual({});
  });

  test('takes one figure and leaves the others as they are', () => {
    const { watch, breaker } = configured({ watch: { strikes: 5 } });
    expect([watch, breaker.max]).toEqual([{ cooldownMs: 15_000, strikes: 5 }, 15]);
  });

  test.each([
    ['watch.cooldownMs', { watch: { cooldownMs: 0 } }, 'expected number to be >=100'],
    ['watch.cooldownMs', { watch: { cooldownMs: '15s' } }, 'expected number'],
    ['watch.strikes', { watch: { strikes: 0 } }, 'expected number to be >=1'],
    ['watch.strikes', { watch: { strikes: 1.5 } }, 'expected int'],
    ['watch', { watch: { cooldown: 15_000 } }, 'Unrecognized key: "cooldown"'],
    ['breaker.max', { breaker: { max: -1 } }, 'expected number to be >=1'],
    ['breaker.windowMs', { breaker: { windowMs: null } }, 'expected number'],
    ['breaker.silenceMs', { breaker: { silenceMs: 86_400_000 } }, 'expected number to be <=3600000'],
    ['breaker', { breaker: { maximum: 3 } }, 'Unrecognized key: "maximum"'],
    ['mcpServers.x', { mcpServers: { x: { args: [] } } }, 'a server has a command'],
    ['mcpServers.x', { mcpServers: { x: { command: 'a', url: 'https://b.example' } } }, 'a server has a command'],
    ['mcpServers.a b', { mcpServers: { 'a b': { command: 'a' } } }, 'Invalid key'],
    ['delivery.attempts', { delivery: { attempts: 0 } }, 'expected number to be >=1'],
    ['delivery.timeoutMs', { delivery: { timeoutMs: 1 } }, 'expected number to be >=100'],
    ['delivery.longestRetryMs', { delivery: { firstRetryMs: 500, longestRetryMs: 100 } }, 'shorter than firstRetryMs'],
    ['notices.tailLines', { notices: { tailLines: -1 } }, 'expected number to be >=0'],
  ])('is refused with the key %s and the reason', (key, config, reason) => {
    expect(() => configured(config)).toThrow(ConfigurationError);
    expect(() => configured(config)).toThrow(new RegExp(`${key}: [^;]*${reason}`));
  });
});
