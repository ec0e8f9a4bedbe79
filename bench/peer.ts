/** What everybody who takes part can do, Rouse and the floors included. */
export interface Peer<OwnField extends Field = Field> {
  readonly name: string;
  /** True when the machine has it. */
  installed(): boolean;
  open(stage: Stage): Promise<OwnField>;
}

export type Stage = {
  /** A folder of its own, removed afterwards. */
  readonly folder: string;
  /** The text of each command, as for `bash -c`. */
  readonly commands: readonly string[];
};

/** A peer at work on the commands of a stage. */
export interface Field {
  /** Over when the peer says that the command runs. */
  start(index: number): Promise<void>;
  /** The moment at which the peer knew the end (in `nowMs`); asked for before the end. */
  ended(index: number): Promise<number>;
  /** The pids of all that the peer keeps running beside the commands themselves. */
  keepers(): Promise<readonly number[]>;
  /** The files that hold what a command wrote. */
  captured(index: number): Promise<readonly string[]>;
  /** What stands in a captured line that goes on in the next. */
  readonly continued?: string;
  /** All commands have ended by then. */
  close(): Promise<void>;
}

/** The steady clock of the machine, the same in every process. */
export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;
