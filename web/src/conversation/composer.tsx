import type { SessionView } from 'rouse/contract/session';

/** Without a session it begins one. */
export const Composer = ({ session }: { readonly session?: SessionView }) => <p>{session?.id}</p>;
