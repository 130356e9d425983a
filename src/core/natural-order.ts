/**
 * Compares texts as people order them, by their index: numbers inside by their value, so that 10.0.0.9:80 comes before
 * 10.0.0.10:80.
 * The same order as `Intl.Collator`, which takes ten milliseconds to load, as much as fifty comparisons to make and about a
 * microsecond per comparison. So addresses, the most common case, are compared as numbers.
 */
export function naturalOrder(texts: readonly string[]): (a: number, b: number) => number {
  const keys = new Float64Array(texts.length);
  for (let index = 0; index < texts.length; index++) keys[index] = addressKey(texts[index] as string);
  return (a, b) => {
    const left = keys[a] as number;
    const right = keys[b] as number;
    if (left !== NO_ADDRESS && right !== NO_ADDRESS) return left - right;
    if (texts[a] === texts[b]) return 0;
    collator ??= new Intl.Collator('en', { numeric: true });
    return collator.compare(texts[a] ?? '', texts[b] ?? '');
  };
}

let collator: Intl.Collator | undefined;
const NO_ADDRESS = -1;
/** As they are usually written: no zero before other digits. */
const ADDRESS = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2}):(0|[1-9]\d{0,4})$/;

/** An IPv4 address and its port as one integer; {@link NO_ADDRESS} for any other text. */
function addressKey(text: string): number {
  const [, ...written] = ADDRESS.exec(text) ?? [];
  const [port = NaN, ...bytes] = written.map(Number).reverse();
  if (!(port <= 65535) || bytes.some((byte) => byte > 255)) return NO_ADDRESS;
  return bytes.reduceRight((key, byte) => key * 256 + byte, 0) * 65536 + port;
}
