// `node --import ./scripts/typescript-register.mjs FILE.ts` runs TypeScript as it stands, on any Node >= 20.6.
import { existsSync } from 'node:fs';
import { register } from 'node:module';
import { writeDataModules } from './data-modules.mjs';
import { installOrExit } from './install.mjs';

if (!existsSync(new URL('../node_modules/typescript/package.json', import.meta.url))) installOrExit();
writeDataModules();
register('./typescript-hooks.mjs', import.meta.url);
