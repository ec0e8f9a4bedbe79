/** The host itself over HTTP: health, models, metrics, and the description of the interface. */
import type { Registry } from 'prom-client';
import type { ModelsAnswer } from '../contract/host.js';
import type { routes } from '../contract/routes.js';
import type { Conversation } from '../runtime/session/conversation.js';
import { isKnown } from './guard.js';
import { openapi } from './openapi.js';
import type { Handlers } from './router.js';
import { iso } from '../ports/clock.js';

/** Answers at once with what is known; never waits for a provider. */
export type Models = {
  list(): {
    readonly models: readonly ModelsAnswer['models'][number][];
    readonly refreshedAt?: number;
    readonly source: ModelsAnswer['source'];
  };
};

export type HostParts = {
  readonly catalogue: Models;
  readonly defaultModel: string;
  readonly conversation: Conversation;
  readonly figures: Registry;
  readonly version: string;
  readonly startedAt: number;
};

export function hostHandlers(parts: HostParts): Omit<Handlers<typeof routes.host>, 'events'> {
  const { catalogue, defaultModel, conversation, figures, version, startedAt } = parts;
  return {
    health: async ({ context }) => ({
      status: conversation.draining ? 'stopping' : 'ok',
      ...(isKnown(context) && { version, startedAt: iso(startedAt) }),
    }),

    models: async () => {
      const { models, refreshedAt, source } = catalogue.list();
      return {
        default: defaultModel,
        models: models.map((model) => ({ ...model })),
        ...(refreshedAt !== undefined && { refreshedAt: iso(refreshedAt) }),
        source,
      };
    },

    metrics: async ({ context }) => context.text(await figures.metrics(), 200, { 'content-type': figures.contentType }),

    openapi: async () => openapi(version),
  };
}
