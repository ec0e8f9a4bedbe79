/** Mailboxes over a real store whose turns never run. */
import { defaultBudget } from '../../src/domain/session/budget.js';
import { Mailboxes, type MailboxParts } from '../../src/runtime/session/mailboxes.js';

const ignore = () => undefined;
const runner = () => ({ begin: ignore, abort: ignore, spoken: ignore, answered: ignore });

export const idleMailboxes = (parts: Omit<MailboxParts, 'budget' | 'modelOf' | 'runner'>): Mailboxes =>
  new Mailboxes({ ...parts, budget: defaultBudget, modelOf: () => 'rehearsal', runner });
