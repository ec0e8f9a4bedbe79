/** The policy of the page forbids to make code out of strings, which zod would try, for speed. */
import { config } from 'zod';

config({ jitless: true });
