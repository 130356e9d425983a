/** A ring as one writes it first: an object per entry, 64-bit hashes as BigInt, `Array.sort`. */
export interface BigIntEntry {
  readonly hash: bigint;
  readonly host: number;
}

export function buildBigIntRing(
  keys: readonly string[],
  entriesPerHost: ArrayLike<number>,
  hash: (text: string) => bigint,
): BigIntEntry[] {
  const ring: BigIntEntry[] = [];
  keys.forEach((key, host) => {
    for (let i = 0; i < (entriesPerHost[host] ?? 0); i++) ring.push({ hash: hash(`${key}_${i}`), host });
  });
  return ring.sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0));
}
