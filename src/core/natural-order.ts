/**
 * Compares texts as people order them, by their index: numbers inside by their value, so that 10.0.0.9:80 comes before
 * 10.0.0.10:80.
 *
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
const [DOT, COLON, ZERO] = [46, 58, 48];

/** An IPv4 address and its port as one integer; {@link NO_ADDRESS} for any other text. */
function addressKey(text: string): number {
  let key = 0;
  let at = 0;
  for (let part = 0; part < 5; part++) {
    const start = at;
    let value = 0;
    for (; at < text.length; at++) {
      const digit = text.charCodeAt(at) - ZERO;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    // A number as it is usually written: some digits, no zero before others.
    const digits = at - start;
    if (digits === 0 || digits > 5 || (digits > 1 && text.charCodeAt(start) === ZERO)) return NO_ADDRESS;
    if (value > (part < 4 ? 255 : 65535)) return NO_ADDRESS;
    key = key * (part < 4 ? 256 : 65536) + value;
    if (part < 4 && text.charCodeAt(at++) !== (part < 3 ? DOT : COLON)) return NO_ADDRESS;
  }
  return at === text.length ? key : NO_ADDRESS;
}
