/** Runs in every test file, before its own hooks: ends what the file and its tests have opened. */
import { afterAll, afterEach } from 'vitest';
import { cleanUp, cleanUpFile } from './clean-up.js';

afterEach(cleanUp);
afterAll(cleanUpFile);
