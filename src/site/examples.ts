import type { Example as Description } from '../scenario/example.js';
import { describeExample, inTopics } from '../scenario/example.js';
import type { SourceFile } from './engine/protocol.js';

/** The scenario that the page opens on. */
export const SHOWCASE = 'showcase';

/** A shipped scenario. */
export interface Example extends Description, SourceFile {}

/** The list that the build wrote into the page. */
export function readExamples(json: string): readonly Example[] {
  const files = JSON.parse(json) as readonly SourceFile[];
  return inTopics(files.map(({ file, text }) => ({ ...describeExample(file, text), file, text })));
}
