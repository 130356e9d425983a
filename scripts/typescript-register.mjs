// `node --import ./scripts/typescript-register.mjs FILE.ts` runs TypeScript as it stands, on any Node >= 20.6.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
