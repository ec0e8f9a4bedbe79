import type { Usage } from 'rouse/contract/journal';

export const number = (count: number): string => count.toLocaleString('en');

/** Empty for a model that does not count tokens. */
export function usageInWords(usage: Usage | undefined): readonly string[] {
  if (!usage || usage.inputTokens + usage.outputTokens === 0) return [];
  const { inputTokens, outputTokens, cachedTokens = 0, costUsd } = usage;
  const cached = cachedTokens > 0 ? ` (${number(cachedTokens)} cached)` : '';
  return [
    `${number(inputTokens)} tokens in${cached}`,
    `${number(outputTokens)} out`,
    ...(costUsd === undefined ? [] : [`$${costUsd.toFixed(costUsd < 0.1 ? 4 : 2)}`]),
  ];
}
