import { modelSettings, secretVariables, type ModelSettings } from '../../agent/settings.js';
import type { Clock } from '../../ports/clock.js';
import { systemClock } from '../../clock/system.js';
import type { Configuration } from '../configuration.js';
import { redactor, type Redactor } from '../../domain/output/redaction.js';
import type { Home } from '../home.js';
import type { Opened } from '../opened.js';
import { isModelKey } from '../../place/local/environment.js';
import { telemetry, type Telemetry } from '../telemetry.js';
import { forgetVariables } from './own-environment.js';

/** What every stage of the start stands on. */
export type Ground = {
  readonly home: Home;
  readonly configuration: Configuration;
  readonly env: NodeJS.ProcessEnv;
  readonly umask: number;
  readonly opened: Opened;
  readonly clock: Clock;
  readonly token: string;
  readonly models: ModelSettings;
  readonly isKey: (name: string) => boolean;
  readonly secrets: Redactor;
  readonly told: Telemetry;
};

export function groundOf(
  home: Home,
  configuration: Configuration,
  env: NodeJS.ProcessEnv,
  umask: number,
  opened: Opened,
): Ground {
  const token = home.token(env['ROUSE_TOKEN']);
  const models = modelSettings(env, configuration.providers);
  const isKey = (name: string) => isModelKey(name) || secretVariables(models).includes(name);
  const modelKeys = Object.entries(env).flatMap(([name, value]) => (isKey(name) && value ? [value] : []));
  const secrets = redactor([token, ...modelKeys]);
  const told = telemetry(configuration.logLevel, secrets.redact);
  const readable = forgetVariables(['ROUSE_TOKEN', ...Object.keys(env).filter(isKey)]);
  if (readable) told.log.warn({ why: readable }, 'keys stay readable in /proc/PID/environ of the host');
  return { home, configuration, env, umask, opened, clock: systemClock, token, models, isKey, secrets, told };
}
