/** What every stage of the start builds on. */
import { randomBytes } from 'node:crypto';
import { modelSettings, secretVariables, type ModelSettings } from '../../agent/settings.js';
import { systemClock } from '../../clock/system.js';
import { redactor, type Redactor } from '../../domain/output/redaction.js';
import { isModelKey } from '../../place/local/environment.js';
import type { Clock } from '../../ports/clock.js';
import type { Configuration } from '../configuration.js';
import type { Home } from '../home.js';
import { telemetry, type Telemetry } from '../telemetry.js';
import { forgetVariables } from '../own-environment.js';

/** What was opened, closed in reverse: when the host stops, and when its start fails halfway. */
export class Opened {
  readonly #closers: (() => unknown)[] = [];

  add(close: () => unknown): void {
    this.#closers.push(close);
  }

  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = this.#closers.pop(); close; close = this.#closers.pop())
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    if (failures.length > 0) throw failures[0];
  }
}

type Given = {
  readonly home: Home;
  readonly configuration: Configuration;
  readonly env: NodeJS.ProcessEnv;
  readonly umask: number;
  readonly opened: Opened;
};

export type Foundation = Given & {
  readonly clock: Clock;
  readonly token: string;
  readonly models: ModelSettings;
  readonly isKey: (name: string) => boolean;
  readonly secrets: Redactor;
  readonly telemetry: Telemetry;
};

export function layFoundation(given: Given): Foundation {
  const { home, configuration, env } = given;
  const token = home.token(env['ROUSE_TOKEN']);
  const models = modelSettings(env, configuration.providers);
  const isKey = (name: string) => isModelKey(name) || secretVariables(models).includes(name);
  const modelKeys = Object.entries(env).flatMap(([name, value]) => (isKey(name) && value ? [value] : []));
  const secrets = redactor([token, ...modelKeys]);
  const reports = telemetry(configuration.logLevel, secrets.redact);
  const readable = forgetVariables(['ROUSE_TOKEN', ...Object.keys(env).filter(isKey)]);
  if (readable) reports.log.warn({ why: readable }, 'keys stay readable in /proc/PID/environ of the host');
  return { ...given, clock: systemClock, token, models, isKey, secrets, telemetry: reports };
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** 80 random bits, in letters that are not mistaken for each other. */
export const newId =
  <Id>(shape: { parse(text: string): Id }, prefix: string) =>
  (): Id =>
    shape.parse(prefix + Array.from(randomBytes(16), (byte) => ALPHABET[byte % 32]).join(''));
