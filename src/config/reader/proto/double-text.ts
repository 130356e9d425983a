const HEX_DOUBLE = /^([-+]?)0[xX]([\da-fA-F]*)(?:\.([\da-fA-F]*))?(?:[pP]([-+]?\d+))?$/;

/** Text as C's `strtod` reads it: space around it, `inf` and `nan` in any case, hexadecimal with `p` and an exponent. */
export function doubleText(written: string): number | undefined {
  const text = written.replace(/^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g, '');
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text)) return Number(text);
  if (/^[-+]?inf(?:inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^[-+]?nan(?:\(\w*\))?$/i.test(text)) return NaN;
  const [, sign, whole = '', fraction = '', exponent = '0'] = HEX_DOUBLE.exec(text) ?? [];
  if (sign === undefined || whole + fraction === '') return undefined;
  const value = parseInt(whole + fraction, 16) * 2 ** (Number(exponent) - 4 * fraction.length);
  return sign === '-' ? -value : value;
}
