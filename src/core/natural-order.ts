const IPV4_WITH_PORT = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2}):(0|[1-9]\d{0,4})$/;

/**
 * Compares texts as people order them: numbers inside by their value, so that 10.0.0.9:80 comes before 10.0.0.10:80.
 *
 * This is what `Intl.Collator` says. It takes some ten milliseconds to load and most of a microsecond to compare, so
 * addresses, which are most of what is compared, are numbers here.
 */
export function naturalOrder(): (a: string, b: string) => number {
  const keys = new Map<string, number>();
  const keyOf = (text: string): number => {
    let key = keys.get(text);
    if (key === undefined) {
      key = addressKey(text);
      keys.set(text, key);
    }
    return key;
  };
  let collator: Intl.Collator | undefined;
  return (a, b) => {
    if (a === b) return 0;
    const left = keyOf(a);
    const right = keyOf(b);
    if (left !== NO_ADDRESS && right !== NO_ADDRESS) return left - right;
    collator ??= new Intl.Collator('en', { numeric: true });
    return collator.compare(a, b);
  };
}

const NO_ADDRESS = -1;

/** An IPv4 address and its port as one integer; {@link NO_ADDRESS} for any other text. */
function addressKey(text: string): number {
  const parts = IPV4_WITH_PORT.exec(text);
  if (parts === null) return NO_ADDRESS;
  const [, a, b, c, d, port] = parts.map(Number) as [number, number, number, number, number, number];
  if (a > 255 || b > 255 || c > 255 || d > 255 || port > 65535) return NO_ADDRESS;
  return (((a * 256 + b) * 256 + c) * 256 + d) * 65536 + port;
}
