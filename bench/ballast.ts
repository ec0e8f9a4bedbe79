const held: Buffer[] = [];

/** Memory that is really there: every page is written, so that the page tables are as large as they would be. */
export function ballast(megabytes: number): void {
  for (let piece = 0; piece < megabytes; piece++) held.push(Buffer.alloc(1_048_576, 1));
}
