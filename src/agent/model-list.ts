/** Asks one provider what it has. */
import { z } from 'zod';
import { printable } from '../contract/display.js';
import { redirected } from '../domain/session/redirect.js';
import { jsonOr } from './model.js';
import { knownModel } from './known-models.js';
import type { ProviderSettings } from './settings.js';

export const ListedModel = z
  .object({ id: z.string(), provider: z.string(), name: z.string(), contextWindow: z.number().exactOptional() })
  .readonly();
export type ListedModel = z.infer<typeof ListedModel>;

const LARGEST_BYTES = 8 * 1024 * 1024;
const MOST_MODELS = 2_000;

/** Each provider has its own name for the window. */
const Model = z.object({
  id: z.string().min(1).max(200),
  name: z.string().optional().catch(undefined),
  display_name: z.string().optional().catch(undefined),
  context_length: z.int().positive().optional().catch(undefined),
  context_window: z.int().positive().optional().catch(undefined),
  max_model_len: z.int().positive().optional().catch(undefined),
  max_input_tokens: z.int().positive().optional().catch(undefined),
});

/** Throws when there is no answer that can be understood. */
export async function askForModels(provider: ProviderSettings, signal: AbortSignal): Promise<ListedModel[]> {
  const response = await fetch(`${provider.baseUrl}/models${provider.protocol === 'anthropic' ? '?limit=1000' : ''}`, {
    headers: headersOf(provider),
    redirect: 'manual',
    signal,
  });
  const elsewhere = redirected(response);
  if (elsewhere) throw new Error(elsewhere);
  const text = await boundedText(response);
  if (!response.ok) throw new Error(`it answered with status ${response.status}`);
  const answer = z.object({ data: z.array(z.unknown()) }).safeParse(jsonOr(text));
  if (!answer.success) throw new Error('its answer is not a list of models');
  return answer.data.data
    .flatMap((entry) => Model.safeParse(entry).data ?? [])
    .filter(({ id }) => provider.protocol !== 'responses' || !WORDLESS.test(id))
    .slice(0, MOST_MODELS)
    .map((model) => listed(provider, model));
}

/** OpenAI lists everything it has, also what cannot hold a conversation. */
const WORDLESS =
  /embedding|moderation|tts|whisper|transcribe|audio|realtime|image|dall-e|sora|babbage|davinci|instruct/;

function listed({ name: provider, protocol }: ProviderSettings, model: z.infer<typeof Model>): ListedModel {
  const id = `${provider}/${printable(model.id)}`;
  const known = protocol === 'chat' ? undefined : knownModel(id);
  const said = model.context_length ?? model.context_window ?? model.max_model_len ?? model.max_input_tokens;
  const contextWindow = said ?? known?.contextWindow;
  const name = printable(model.display_name ?? model.name ?? known?.name ?? model.id);
  return { id, provider, name, ...(contextWindow && { contextWindow }) };
}

function headersOf({ protocol, apiKey }: ProviderSettings): Record<string, string> {
  if (!apiKey) return {};
  return protocol === 'anthropic'
    ? { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }
    : { authorization: `Bearer ${apiKey}` };
}

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > LARGEST_BYTES) throw new Error('its list is larger than 8 MiB');
  }
  return text + decoder.decode();
}
