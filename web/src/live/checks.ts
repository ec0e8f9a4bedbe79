/** The content policy forbids code from strings, which zod would generate for speed. */
import { config } from 'zod';

config({ jitless: true });
