import { entryOf } from '../core/values.js';
import type * as editor from './editor.js';
import type * as gif from './gif.js';
import { carried, unpack } from './packed.js';
import type { Example as Description } from '../scenario/example.js';

/** The scenario that the page opens on. */
export const SHOWCASE = 'showcase';

/** A shipped scenario. Texts but that of the showcase lie beside the page. */
export interface Example extends Description {
  readonly file: string;
  readonly text?: string;
}

/** The parts of the page that lie beside it, by the name of their file. */
interface Parts {
  readonly editor: typeof editor;
  readonly gif: typeof gif;
  /** The table of the v3 API, which most scenarios do without. */
  readonly v3: string;
  /** Texts of the shipped scenarios by file. */
  readonly examples: Readonly<Record<string, string>>;
}

const loading = new Map<keyof Parts, Promise<unknown>>();

/** A part that few readers need. @throws Error with what to do where its file is missing; the next call tries again. */
export function loadPart<N extends keyof Parts>(name: N): Promise<Parts[N]> {
  const part = entryOf(loading, name, () => load(name)) as Promise<Parts[N]>;
  part.catch(() => loading.delete(name));
  return part;
}

/** Scripts that set global names: a page on a disk may load nothing else. A page in one file carries what they hold. */
async function load(name: keyof Parts): Promise<unknown> {
  if (carried(`packed-${name}`) === '') await runScript(`${name}.js`);
  const packed = carried(`packed-${name}`) || String(globalOf(`lbsim_packed_${name}`));
  const code = URL.createObjectURL(new Blob([await unpack(packed)], { type: 'text/javascript' }));
  (await runScript(code)).remove();
  return globalOf(`lbsim_${name}`);
}

const globalOf = (name: string): unknown => (globalThis as unknown as Readonly<Record<string, unknown>>)[name];

function runScript(address: string): Promise<HTMLScriptElement> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.onload = () => resolve(script);
    script.onerror = () => {
      script.remove();
      reject(new Error(`${address} does not lie beside this page: copy the whole folder.`));
    };
    script.src = address;
    document.head.append(script);
  });
}
