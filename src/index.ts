/** The public library. */
export { HostUnreachable, RouseClient, RouseProblem, type Bytes, type OutputEvent } from './client/client.js';
export { ProcessId, SessionId } from './contract/ids.js';
export { OutputPage } from './contract/output.js';
export { End, ProcessState, ProcessView, StartRequest, type StartInput } from './contract/process.js';
export { type HealthAnswer, Problem } from './contract/host.js';
export type { KillAnswer, ProcessAnswer, WaitAnswer } from './contract/process.js';
