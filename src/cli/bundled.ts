#!/usr/bin/env node
/**
 * Where the bundled command begins: `scripts/bundle.mjs` makes dist/cli/main.js of this file, and command.js beside it of
 * main.ts.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { CompiledModules } from './compiled-modules.js';

const COMMAND = './command.js';

const modules = new CompiledModules(import.meta.dirname);
if (existsSync(modules.bytecode)) modules.load(COMMAND);
else {
  // Built with another version of Node. From 22.1 on Node itself keeps bytecode, among the temporary files of the user.
  const require = createRequire(import.meta.url);
  (require('node:module') as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();
  require(COMMAND);
}
