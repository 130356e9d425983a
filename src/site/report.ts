import type { Race } from '../index.js';
import type { DifferencePicture } from './engine/difference.js';
import type { RunPicture } from './engine/draw-picture.js';
import type { ObservedPicture } from './engine/observed-picture.js';
import type { Shared } from './link.js';
import type { SweepPicture } from './sweep-lines.js';
import { fromBase64Url, pack, toBase64Url, unpack } from './packed.js';

export interface Report {
  /** As `run` or `compare`. */
  readonly command: string;
  /** The versions of lbsim and its data, as `lbsim 0.1.0`. */
  readonly madeBy: string;
  /** One, or one a side; none of a sweep. */
  readonly sides: readonly { readonly name: string; readonly picture: RunPicture }[];
  readonly text: string;
  readonly difference?: DifferencePicture | undefined;
  readonly race?: Race | undefined;
  readonly observation?: ObservedPicture | undefined;
  /** Of a sweep, which has no sides. */
  readonly sweep?: SweepPicture | undefined;
  /** Of a playable report: the page opens it. */
  readonly shared: Shared | undefined;
}

/** Characters of an address, so that nothing in it ends the element that it stands in. */
export const packReport = (report: Report): Promise<string> => pack(JSON.stringify(report, toPlain));

export const unpackReport = async (packed: string): Promise<Report> =>
  JSON.parse(await unpack(packed.trim()), fromPlain) as Report;

const KINDS = { f32: Float32Array, u8: Uint8Array } as const;

/** JSON has neither typed arrays nor NaN. */
function toPlain(_: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) return { $: 'number', of: String(value) };
  for (const [name, Kind] of Object.entries(KINDS)) {
    if (!(value instanceof Kind)) continue;
    return { $: name, of: toBase64Url(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) };
  }
  return value;
}

function fromPlain(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('$' in value)) return value;
  const { $: kind, of } = value as { readonly $: keyof typeof KINDS | 'number'; readonly of: string };
  return kind === 'number' ? Number(of) : new KINDS[kind](fromBase64Url(of).buffer);
}
