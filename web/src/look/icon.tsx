/** Decorative icons: the text or the label of the button always says the same. */
const drawings = {
  archive: 'M3 4h10v3H3zM4 7v6h8V7M6.5 9.5h3',
  back: 'M10 3 5 8l5 5',
  bell: 'M4 11V7a4 4 0 0 1 8 0v4l1 1H3zM7 14h2',
  chevron: 'M6 4l4 4-4 4',
  clock: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M8 5v3.2l2 1.3',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M6 6h7v7H6zM3 10V3h7',
  cross: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
  dots: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  download: 'M8 3v7M5 7.5 8 10.5l3-3M3 13h10',
  edit: 'M3 13l.7-3L10.5 3.2l2.3 2.3L6 12.3zM9.5 4.2l2.3 2.3',
  file: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3',
  hand: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M6.3 6.3a1.7 1.7 0 1 1 2.4 1.6c-.5.2-.7.5-.7 1.1M8 11h.01',
  list: 'M5.5 4H13M5.5 8H13M5.5 12H13M3 4h.01M3 8h.01M3 12h.01',
  plus: 'M8 3v10M3 8h10',
  process: 'M2.5 3.5h11v9h-11zM4.5 6l2 2-2 2M8 10h3',
  search: 'M7 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8M10 10l3.5 3.5',
  send: 'M8 13V3.5M4 7.5l4-4 4 4',
  stop: 'M4.5 4.5h7v7h-7z',
  thought: 'M4 9.5a3 3 0 0 1 .6-5.9A3.5 3.5 0 0 1 11.4 5 2.8 2.8 0 0 1 11 10.500H5M5 13h.01',
  tick: 'M3 8.500l3.200 3.200L13 4.700',
  tool: 'M9.500 3a3 3 0 0 0-2.800 4.100L3 10.800 5.200 13l3.700-3.700A3 3 0 0 0 13 6.500L11 8 9 6l1.500-2z',
  wake: 'M3.500 11a4.500 4.500 0 0 1 9 0M2 13h12M8 2.500v2M3.300 4.600l1.300 1.400M12.700 4.600 11.400 6',
} as const;

export type IconName = keyof typeof drawings;

export const Icon = ({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" class="drawing">
    <path
      d={drawings[name]}
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </svg>
);
