/** Every command by its name, in the order of the help; each is loaded when it is needed. */
import type { AddCommand } from './command.js';

const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import('./host/serve.js')).addServe,
  open: async () => (await import('./host/serve.js')).addOpen,
  run: async () => (await import('./process/run.js')).addRun,
  ps: async () => (await import('./process/ps.js')).addPs,
  logs: async () => (await import('./output/logs.js')).addLogs,
  wait: async () => (await import('./process/wait.js')).addWait,
  kill: async () => (await import('./process/kill.js')).addKill,
  write: async () => (await import('./process/input.js')).addWrite,
  close: async () => (await import('./process/input.js')).addClose,
  attach: async () => (await import('./output/attach.js')).addAttach,
  sessions: async () => (await import('./session/sessions.js')).addSessions,
  send: async () => (await import('./session/send.js')).addSend,
  show: async () => (await import('./session/show.js')).addShow,
  answer: async () => (await import('./session/answer.js')).addAnswer,
  stop: async () => (await import('./session/stop.js')).addStop,
  notices: async () => (await import('./notice/notices.js')).addNotices,
  why: async () => (await import('./notice/notices.js')).addWhy,
  notify: async () => (await import('./notice/notices.js')).addNotify,
  models: async () => (await import('./session/models.js')).addModels,
  doctor: async () => (await import('./host/doctor.js')).addDoctor,
  completion: async () => (await import('./completion.js')).addCompletion,
};

/** The named command alone. Without such a name all of them: for the help, for completion, to suggest what was meant. */
export const commandsFor = (name = ''): Promise<readonly AddCommand[]> =>
  Promise.all(
    Object.entries(commands)
      .filter(([known]) => known === name || !Object.hasOwn(commands, name))
      .map(([, load]) => load()),
  );
