import { conversation } from '../state/conversation';

export const Conversation = () => <pre>{JSON.stringify(conversation.value, null, 1)}</pre>;
