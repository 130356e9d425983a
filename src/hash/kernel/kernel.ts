import { utf8, writeUtf8 } from '../bytes.js';
import type { HashKernel } from './generated/kernel-types.js';
import { kernelWasm } from './generated/kernel-wasm.js';

/** A kernel with more memory is not kept: linear memory cannot shrink. */
const KEPT_BYTES = 16 * 1024 * 1024;

let compiled: WebAssembly.Module | undefined;
/** A fresh kernel costs more than a ring of 1024 entries; this one is reused while it stays small. */
let kept: HashKernel | undefined;

export function instantiate(): HashKernel {
  compiled ??= new WebAssembly.Module(codeOfKernel());
  return new WebAssembly.Instance(compiled, {}).exports as unknown as HashKernel;
}

/** Kernels that are made later need no time for it. */
export async function compileKernel(): Promise<void> {
  compiled ??= await WebAssembly.compile(codeOfKernel());
}

const codeOfKernel = (): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(kernelWasm), (char) => char.charCodeAt(0));

/** A kernel for one job after the other. Give it back with {@link keepKernel}, once its memory is read. */
export const takeKernel = (): HashKernel => kept ?? instantiate();

export function keepKernel(kernel: HashKernel): void {
  kept = kernel.memory.buffer.byteLength <= KEPT_BYTES ? kernel : undefined;
}

/** Bytes that {@link writeTexts} may need: a UTF-16 unit takes up to three bytes of UTF-8. */
export function roomForTexts(texts: readonly string[]): { readonly bytes: number; readonly longest: number } {
  let bytes = 0;
  let longest = 0;
  for (const { length } of texts) {
    bytes += 3 * length;
    longest = Math.max(longest, 3 * length);
  }
  return { bytes, longest };
}

/**
 * Writes texts one after the other, and where each ends: those from `first` on, as many as there is room for. Encoded
 * in one call they take two thirds of the time, or less, of their characters one by one. @returns how many.
 */
export function writeTexts(texts: readonly string[], first: number, bytes: Uint8Array, ends: Uint32Array): number {
  const most = Math.min(ends.length, texts.length - first);
  let all = '';
  let count = 0;
  for (; count < most; count++) {
    const text = texts[first + count] as string;
    if (3 * (all.length + text.length) > bytes.length) break;
    all += text;
    ends[count] = all.length;
  }
  // As many bytes as units: they are ASCII.
  if (writeUtf8(all, bytes) === all.length) return count;
  let at = 0;
  for (let index = 0; index < count; index++) {
    at = writeText(texts[first + index] as string, bytes, at);
    ends[index] = at;
  }
  return count;
}

/** Most texts are ASCII: a loop beats the call of an encoder. @returns where the text ends. */
export function writeText(text: string, bytes: Uint8Array, at: number): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 127) {
      const encoded = utf8(text);
      bytes.set(encoded, at);
      return at + encoded.length;
    }
    bytes[at + i] = unit;
  }
  return at + text.length;
}
