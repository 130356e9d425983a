#!/usr/bin/env node
/**
 * Where the bundled command begins: `scripts/bundle.mjs` makes dist/cli/main.js of this file, and command.js beside it of
 * main.ts.
 */
import * as nodeModule from 'node:module';

// Since 22.1 Node keeps what it has compiled, among the user's temporary files, of what is loaded from here on.
(nodeModule as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();
nodeModule.createRequire(import.meta.url)('./command.js');
