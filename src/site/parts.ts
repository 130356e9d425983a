import type * as editor from './editor.js';
import { unpack } from './packed.js';
import type { Example as Description } from '../scenario/example.js';
import type { SourceFile } from './engine/protocol.js';

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

/** The parts of the page that lie beside it, by the name of their file. */
interface Parts {
  readonly editor: typeof editor;
  /** The table of the v3 API, which most scenarios do without. */
  readonly v3: string;
  /** Texts of the shipped scenarios by file. */
  readonly examples: Readonly<Record<string, string>>;
}

const loading = new Map<keyof Parts, Promise<unknown>>();

/**
 * A part that most readers of a link never need. It is a script that sets one global name: a page on a disk may load
 * nothing else.
 *
 * @throws Error with what to do where the file is missing; the next call tries again.
 */
export function loadPart<N extends keyof Parts>(name: N): Promise<Parts[N]> {
  const known = loading.get(name);
  if (known !== undefined) return known as Promise<Parts[N]>;
  const part = new Promise<Parts[N]>((resolve, reject) => {
    const packed = document.getElementById(`packed-${name}`)?.textContent.trim();
    const script = document.createElement('script');
    script.onload = () => resolve((globalThis as unknown as Record<string, Parts[N]>)[`lbsim_${name}`] as Parts[N]);
    script.onerror = () => {
      loading.delete(name);
      script.remove();
      reject(new Error(`${name}.js does not lie beside this page: copy the whole folder.`));
    };
    const load = (address: string): void => {
      script.src = address;
      document.head.append(script);
    };
    if (packed === undefined) load(`${name}.js`);
    // A page in one file carries it.
    else
      unpack(packed).then((text) => load(URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))), reject);
  });
  loading.set(name, part);
  return part;
}
