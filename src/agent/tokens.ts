/** A token is about four letters of an alphabet, or about two thirds of a sign of any other script. */
export function roughTokens(text: string): number {
  let plain = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 0x250) plain++;
  return Math.ceil(plain / 4 + (text.length - plain) / 1.5);
}
