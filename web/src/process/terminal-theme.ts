/** The colours of the terminal, from the design tokens of the current theme. */
import type { ITheme } from '@xterm/xterm';

const NAMES = {
  background: '--terminal-ground',
  foreground: '--ink',
  cursor: '--accent',
  cursorAccent: '--terminal-ground',
  selectionBackground: '--terminal-selection',
  scrollbarSliderBackground: '--terminal-slider',
  scrollbarSliderHoverBackground: '--line-strong',
  scrollbarSliderActiveBackground: '--line-strong',
  overviewRulerBorder: '--terminal-ground',
  black: '--terminal-black',
  red: '--trouble',
  green: '--good',
  yellow: '--code-number',
  blue: '--live',
  magenta: '--code-keyword',
  cyan: '--terminal-cyan',
  white: '--terminal-white',
  brightBlack: '--ink-faint',
  brightRed: '--trouble',
  brightGreen: '--good',
  brightYellow: '--accent',
  brightBlue: '--code-name',
  brightMagenta: '--code-keyword',
  brightCyan: '--terminal-cyan',
  brightWhite: '--ink',
} as const satisfies Partial<Record<keyof ITheme, string>>;

/** xterm does not know CSS variables, so an element resolves them. */
export function themeOf(element: HTMLElement): ITheme {
  const probe = element.appendChild(document.createElement('span'));
  const resolved = (token: string): string => {
    probe.style.color = `var(${token})`;
    return hex(getComputedStyle(probe).color);
  };
  const theme = Object.fromEntries(Object.entries(NAMES).map(([name, token]) => [name, resolved(token)]));
  probe.remove();
  return theme;
}

/** xterm understands fewer colour notations than a browser produces. */
function hex(colour: string): string {
  const parts =
    /^rgba?\(([^)]+)\)$/
      .exec(colour)?.[1]
      ?.split(/[\s,/]+/)
      .map(Number) ?? [];
  const [red = 0, green = 0, blue = 0, alpha = 1] = parts;
  const two = (part: number): string => Math.round(part).toString(16).padStart(2, '0');
  return `#${two(red)}${two(green)}${two(blue)}${alpha < 1 ? two(alpha * 255) : ''}`;
}
