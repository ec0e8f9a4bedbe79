import { listedProcesses } from '../state/processes';

export const ProcessPanel = () => <pre>{JSON.stringify(listedProcesses.value, null, 1)}</pre>;
