/** One line of `rouse doctor`. What is not `ok` says the way out. */
export type Finding = {
  readonly check: string;
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly says: string;
};
