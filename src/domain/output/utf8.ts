/** Text and its bytes. */

// Every JavaScript has these two, but the language's own library, which is all the pure rooms are compiled with, lacks them.
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const TextDecoder: new (
  label: string,
  options: { ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export const encode = (text: string): Uint8Array => encoder.encode(text);

/** Invalid bytes become U+FFFD. */
export const decode = (bytes: Uint8Array): string => decoder.decode(bytes);
