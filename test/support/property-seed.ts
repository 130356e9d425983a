import fc from 'fast-check';

/**
 * Properties draw the same examples on each machine and each day, so that a commit is either good or not. What the next
 * million examples would find is asked for by hand: PROPERTY_SEED=random (or a number) npx vitest run FILE.
 */
const asked = process.env['PROPERTY_SEED'] ?? '1';
if (asked !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(asked) });
