import type * as editor from './editor.js';

/** The parts of the page that lie beside it, by the name of their file. */
interface Parts {
  readonly editor: typeof editor;
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
    const script = document.createElement('script');
    script.onload = () => resolve((globalThis as unknown as Record<string, Parts[N]>)[`lbsim_${name}`] as Parts[N]);
    script.onerror = () => {
      loading.delete(name);
      script.remove();
      reject(new Error(`${name}.js does not lie beside this page: copy the whole folder.`));
    };
    script.src = `${name}.js`;
    document.head.append(script);
  });
  loading.set(name, part);
  return part;
}
