/** Which models there are. Nobody waits for a provider here. */
import { z } from 'zod';
import { ModelsAnswer } from '../contract/host.js';
import type { Routes } from './routes.js';

/** Answers at once with what is known, and looks for more by itself. */
export type Models = {
  list(): {
    readonly models: readonly {
      readonly id: string;
      readonly provider: string;
      readonly name: string;
      readonly contextWindow?: number | undefined;
    }[];
    readonly refreshedAt?: number;
    readonly source: 'built-in' | 'cached';
  };
};

export type ModelParts = { readonly catalogue: Models; readonly defaultModel: string };

export function modelRoutes(routes: Routes, { catalogue, defaultModel }: ModelParts): void {
  routes.get(
    '/api/models',
    { summary: 'Lists the models that are known', query: z.strictObject({}), answer: ModelsAnswer },
    async () => {
      const { models, refreshedAt, source } = catalogue.list();
      return {
        default: defaultModel,
        models: models.map((model) => ({ ...model })),
        ...(refreshedAt !== undefined && { refreshedAt: new Date(refreshedAt).toISOString() }),
        source,
      };
    },
  );
}
