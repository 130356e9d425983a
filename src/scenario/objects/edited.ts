import type { SourceNode } from '../../config/source/document.js';
import { fieldOf, itemsOf, textOf, valueAt } from '../../config/source/trees.js';
import { own } from '../../core/values.js';
import { EDITED } from './generated/edited.js';

/** How the objects that people edit are told from other documents. */

export type Plane = keyof typeof EDITED.planes;

interface Kinds {
  readonly name: string;
  readonly needs: readonly (readonly string[])[];
  readonly kinds: Readonly<Record<string, readonly string[]>>;
  readonly ignored: readonly string[];
}

export const PLANES: Readonly<Record<Plane, Kinds>> = EDITED.planes;

/** Whether a document is an object that is read here, alone or beside others. */
export const isEdited = (root: SourceNode): boolean => planeOf(root) !== undefined || isShared(root);

export const groupOf = (root: SourceNode): string => (textOf(valueAt(root, 'apiVersion')) ?? '').replace(/\/.*/, '');

function isOneOf(kinds: Kinds['kinds'], root: SourceNode): boolean {
  const kind = textOf(valueAt(root, 'kind') ?? valueAt(root, 'Kind')) ?? '';
  return own(kinds, groupOf(root))?.includes(kind) === true;
}

export const isShared = (root: SourceNode): boolean => isOneOf(EDITED.shared, root);

/** The answer of a catalog to a question for the instances of a service. */
const isCatalog = (root: SourceNode): boolean =>
  itemsOf(root).length > 0 &&
  itemsOf(root).every((one) => ['Node', 'Service', 'Checks'].every((name) => fieldOf(one, name) !== undefined));

export function planeOf(root: SourceNode): Plane | undefined {
  if (isCatalog(root)) return 'consul';
  return (['istio', 'gateway', 'consul'] as const).find((plane) => isOneOf(PLANES[plane].kinds, root));
}
