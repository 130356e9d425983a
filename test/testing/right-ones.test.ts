import { describe, it } from 'vitest';
import { rightOnes } from '../laws/right-ones.js';

/** `npm run laws` does the same 10,000 times, and for our own policies. */

describe('no law fails', () => {
  it.each(rightOnes())('$name', ({ check }) => check({}));
});
