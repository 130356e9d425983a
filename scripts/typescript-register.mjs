// `node --import ./scripts/typescript-register.mjs FILE.ts` runs TypeScript as it stands, on any Node >= 20.6.
import { existsSync } from 'node:fs';
import { register } from 'node:module';
import { completeSources } from './sources.mjs';
import { installOrExit } from './install.mjs';

if (!existsSync(new URL('../node_modules/typescript/package.json', import.meta.url))) installOrExit();
completeSources();
register('./typescript-hooks.mjs', import.meta.url);
