import { DRAWN } from './drawn.js';
import { outcomeOf } from './outcome.js';

/** `node --import ./scripts/typescript-register.mjs test/random-scenarios/show.ts v3 17` writes a random scenario as a file would hold it, `… v3 17 phases` that part of what it gives. */
const [kind = '', seed = '', part] = process.argv.slice(2);
const value = DRAWN[kind]?.(Number(seed));
const text = part === undefined ? JSON.stringify(value, null, 2) : (await outcomeOf(value))[part];
if (value === undefined || text === undefined) {
  console.error(`there is no ${[kind, seed, part].join(' ')}; kinds are ${Object.keys(DRAWN).join(', ')}`);
  process.exitCode = 2;
} else process.stdout.write(`${text}\n`);
