import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressOf } from '../../web/src/conversation/markdown/safe-link.js';
import { blocksOf, tokensOf, type Blocks } from '../../web/src/conversation/markdown/blocks.js';
import { withSigns } from '../../web/src/conversation/markdown/entities.js';

const PIECES = ['# head\n', 'words ', '**bold** ', '\n\n', '- item\n', '  - deeper\n', '1. one\n', '> said\n'];
const CODE = ['```ts\nconst a = 1;\n\nconst b = 2;\n```\n', '| a | b |\n|---|---|\n| 1 | 2 |\n', '<b>x</b>\n', '---\n'];
const text = fc.array(fc.constantFrom(...PIECES, ...CODE), { maxLength: 30 }).map((pieces) => pieces.join(''));

describe('blocks', () => {
  test('hold the whole text and nothing else', () => {
    fc.assert(
      fc.property(text, (text) => {
        expect(blocksOf(text).raws.join('')).toBe(text);
      }),
    );
  });

  test('of a text that grows hold it whole at every step', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (text, step) => {
        let blocks: Blocks | undefined;
        for (let at = 0; at <= text.length; at += step) {
          blocks = blocksOf(text.slice(0, at), blocks);
          expect(blocks.raws.join('')).toBe(text.slice(0, at));
        }
      }),
    );
  });

  test('L4 that are whole do not change while the text behind them grows', () => {
    const beginning = '# One\n\nFirst.\n\n- a\n- b\n\nSecond.\n\n```\ncode\n```\n\n';
    const before = blocksOf(beginning);
    const after = blocksOf(`${beginning}Third, and it goes on.`, before);
    expect(after.raws.slice(0, before.raws.length)).toEqual(before.raws);
    expect(after.raws).toEqual(blocksOf(after.text).raws);
  });

  test('that would take very long to read are shown as they stand', () => {
    expect(tokensOf('>'.repeat(90_000))).toBeUndefined();
    expect(tokensOf('- a\n'.repeat(10_000))).toBeUndefined();
    expect(blocksOf('>'.repeat(90_000)).raws).toHaveLength(1);
  });

  test('keep a very long run of words unread', () => {
    const kinds = (tokens: readonly { readonly type: string }[] = []): readonly string[] =>
      tokens.map(({ type }) => type);
    const [long] = tokensOf('__a'.repeat(5_000)) ?? [];
    expect(kinds(long && 'tokens' in long ? long.tokens : [])).toEqual(['text']);
    const [short] = tokensOf('a __b__ c') ?? [];
    expect(kinds(short && 'tokens' in short ? short.tokens : [])).toEqual(['text', 'strong', 'text']);
  });
});

describe('links', () => {
  test.each(['https://a.b/c', 'http://a.b', 'mailto:a@b.c'])('lead to %s', (href) => {
    expect(addressOf(href)).toMatch(/^(?:https?|mailto):/);
  });

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:https://a.b/c',
    '/relative',
    '//host',
  ])('do not lead to %s', (href) => {
    expect(addressOf(href)).toBeUndefined();
  });
});

describe('signs', () => {
  test('are read by name and by number, once', () => {
    expect(withSigns('a &amp; b &lt;c&gt; &#65;&#x42; &amp;lt; &unknown; &#0;')).toBe(
      'a & b <c> AB &lt; &unknown; \ufffd',
    );
  });
});
