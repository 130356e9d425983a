import { type LoadOptions, type LoadResult, loadScenario } from '../../index.js';
import type { Subject } from './protocol.js';

/** Reads what the page has, as the command would read it. */
export function load({ files, overrides }: Subject, wanted: Pick<LoadOptions, 'lint' | 'advice'> = {}): LoadResult {
  return loadScenario(files, { ...overrides, ...wanted, statistics: false });
}
