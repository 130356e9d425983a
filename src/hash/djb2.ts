import { fromBigInt, type U64 } from '../core/u64.js';
import { utf8 } from './bytes.js';

/**
 * The proxy's case-insensitive djb2: h = 34·h + c from 5381, c being the byte with A–Z in lower case.
 * Bernstein's function multiplies by 33; the proxy adds `(h << 5) + h` to h itself, hence 34.
 */
export function djb2CaseInsensitive(text: string): U64 {
  let hash = 5381n;
  for (const byte of utf8(text))
    hash = BigInt.asUintN(64, 34n * hash + BigInt(byte >= 65 && byte <= 90 ? byte + 32 : byte));
  return fromBigInt(hash);
}
