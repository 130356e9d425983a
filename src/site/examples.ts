import type { Example as Description } from '../scenario/example.js';
import type { SourceFile } from './engine/protocol.js';
import { loadPart } from './parts.js';

/** The scenario that the page opens on. */
export const SHOWCASE = 'showcase';

/** A shipped scenario. Texts but that of the showcase lie beside the page. */
export interface Example extends Description {
  readonly file: string;
  readonly text?: string;
}

/** @throws Error where they do not. */
export async function openedExample({ file, text }: Example): Promise<SourceFile> {
  if (text !== undefined) return { file, text };
  return { file, text: (await loadPart('examples'))[file] ?? '' };
}

/** The list that the build wrote into the page. */
export function readExamples(json: string): readonly Example[] {
  return JSON.parse(json) as readonly Example[];
}
