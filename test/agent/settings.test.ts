import { describe, expect, test } from 'vitest';
import type { ThinkRequest } from '../../src/ports/agent.js';
import { pauseAfter, PATIENCE } from '../../src/agent/model-agent.js';
import { ModelAgent } from '../../src/agent/model-agent.js';
import { modelSettings, secretVariables } from '../../src/agent/settings.js';
import { FakeClock } from './fake-clock.js';

const agentWith = (...settings: Parameters<typeof modelSettings>): ModelAgent =>
  new ModelAgent({ settings: modelSettings(...settings), clock: new FakeClock() });

const ask = (model: string): ThinkRequest => ({
  model,
  messages: [{ role: 'person', text: 'say hello' }],
  tools: [],
  told: () => {},
  signal: new AbortController().signal,
});

describe('the settings', () => {
  test('it rehearses when nothing is configured', async () => {
    const settings = modelSettings({});
    expect(settings).toEqual({ defaultModel: 'rehearsal', providers: [] });
    expect(await agentWith({}).think(ask(settings.defaultModel))).toMatchObject({ text: 'hello' });
  });

  test('it takes the model that is named before any that it could guess', () => {
    expect(modelSettings({ ANTHROPIC_API_KEY: 'k', ROUSE_MODEL: 'rehearsal' }).defaultModel).toBe('rehearsal');
    expect(modelSettings({ ANTHROPIC_API_KEY: 'k' }).defaultModel).toMatch(/^anthropic\//);
    expect(modelSettings({ OPENAI_API_KEY: 'k' }).defaultModel).toMatch(/^openai\//);
    expect(modelSettings({ OPENAI_BASE_URL: 'http://localhost:11434/v1' }).defaultModel).toMatch(/^openai\//);
  });

  test('it speaks chat completions at every address but OpenAI’s own, with a key or without', () => {
    const providers = (env: Record<string, string>) => modelSettings(env).providers;
    expect(providers({ OPENAI_API_KEY: 'k' })).toMatchObject([{ protocol: 'responses' }]);
    expect(providers({ OPENAI_BASE_URL: 'http://localhost:11434/v1/' })).toEqual([
      { name: 'openai', protocol: 'chat', baseUrl: 'http://localhost:11434/v1', apiKeyEnv: 'OPENAI_API_KEY' },
    ]);
  });

  test('it takes Anthropic’s address with and without the version', () => {
    for (const address of ['http://proxy', 'http://proxy/', 'http://proxy/v1'])
      expect(modelSettings({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: address }).providers[0]?.baseUrl).toBe(
        'http://proxy/v1',
      );
  });

  test('it lets config.json have the last word on a name', () => {
    const { providers } = modelSettings({ OPENAI_API_KEY: 'k' }, { openai: { baseUrl: 'http://mine/v1' } });
    expect(providers).toEqual([{ name: 'openai', protocol: 'chat', baseUrl: 'http://mine/v1' }]);
  });

  test('P23 it knows which variables hold keys', () => {
    const settings = modelSettings({ ANTHROPIC_API_KEY: 'k' }, { mine: { baseUrl: 'http://m', apiKeyEnv: 'MY_WORD' } });
    expect(secretVariables(settings).toSorted()).toEqual(['ANTHROPIC_API_KEY', 'MY_WORD']);
  });
});

describe('the agent', () => {
  test('it refuses a model of a provider that nobody has configured, and names those there are', async () => {
    const agent = agentWith({ ANTHROPIC_API_KEY: 'k' });
    for (const model of ['openai/gpt-5', 'gpt-5', 'anthropic/', ''])
      expect(await agent.think(ask(model))).toMatchObject({
        failed: 'refused',
        why: expect.stringContaining('anthropic/…, rehearsal'),
      });
  });

  test('it does not ask again once words were told', async () => {
    const retries: unknown[] = [];
    const messages = [{ role: 'person', text: 'say half\nfail overloaded' }] as const;
    const retrying = (failure: unknown) => retries.push(failure);
    const outcome = await agentWith({}).think({ ...ask('rehearsal'), messages, retrying });
    expect(outcome).toMatchObject({ failed: 'overloaded' });
    expect(retries).toEqual([]);
  });

  test('it knows windows from the configuration, from the providers, from itself, or guesses with care', () => {
    const settings = modelSettings(
      { ANTHROPIC_API_KEY: 'k' },
      { mine: { baseUrl: 'http://m', contextWindow: 8_000 }, theirs: { baseUrl: 'http://t' } },
    );
    const windowOf = (model: string) => (model === 'theirs/a' ? 9_000 : undefined);
    const agent = new ModelAgent({ settings, clock: new FakeClock(), windowOf });
    const models = ['mine/a', 'theirs/a', 'theirs/b', 'anthropic/claude-sonnet-4-5-20250929', 'rehearsal/4000'];
    expect(models.map((model) => agent.window(model))).toEqual([8_000, 9_000, 32_000, 200_000, 4_000]);
  });

  test('T10 it marks other credentials and addresses, and shows no key', () => {
    const mark = (env: Record<string, string>) => agentWith(env).credentials('openai/gpt-5');
    const marks = [
      mark({ OPENAI_API_KEY: 'one' }),
      mark({ OPENAI_API_KEY: 'two' }),
      mark({ OPENAI_API_KEY: 'one', OPENAI_BASE_URL: 'http://mine/v1' }),
      mark({}),
    ];
    expect(new Set(marks).size).toBe(4);
    expect(mark({ OPENAI_API_KEY: 'one', ANTHROPIC_API_KEY: 'other' })).toBe(marks[0]);
    expect(marks.join()).not.toContain('one');
  });
});

describe('the back-off', () => {
  const limited = { failed: 'rate-limited', why: '' } as const;

  test('it spreads pauses and never goes over the longest', () => {
    const pauses = [1, 2, 3, 4, 5].map((tries) => pauseAfter(limited, { tries, spentMs: 0, dice: 1 }, PATIENCE));
    expect(pauses).toEqual([1_250, 2_500, 5_000, 10_000, 20_000]);
    expect(pauseAfter(limited, { tries: 1, spentMs: 0, dice: 0 }, PATIENCE)).toBe(750);
    expect(pauseAfter(limited, { tries: 9, spentMs: 0, dice: 0.5 }, { ...PATIENCE, tries: 99 })).toBe(30_000);
  });

  test('it stops at the last try and at the end of the budget', () => {
    expect(pauseAfter(limited, { tries: 6, spentMs: 0, dice: 0 }, PATIENCE)).toBeUndefined();
    expect(pauseAfter(limited, { tries: 2, spentMs: 89_000, dice: 0.5 }, PATIENCE)).toBeUndefined();
    expect(
      pauseAfter({ ...limited, retryAfterMs: 90_001 }, { tries: 1, spentMs: 0, dice: 0 }, PATIENCE),
    ).toBeUndefined();
  });
});
