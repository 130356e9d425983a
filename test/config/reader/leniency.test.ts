import type { Schema } from '../../../src/config/reader/schema.js';
import { describe, expect, it } from 'vitest';
import { check, parseDocument } from '../../../src/config/reader.js';
import { bool, bytes, enumeration } from '../../../src/config/reader/proto/strings.js';
import { double, int64, uint32, uint64 } from '../../../src/config/reader/proto/numbers.js';
import { duration } from '../../../src/config/reader/proto/well-known.js';

/**
 * How leniently the proxy reads scalars. Each verdict was recorded: a cluster with the value in a field of the type was
 * given to the proxy, 1.40.0, with `--mode validate`, as YAML.
 */
const policy = enumeration('Cluster.LbPolicy', { ROUND_ROBIN: 0, MAGLEV: 5 });

interface Recorded {
  readonly schema: Schema<unknown>;
  readonly taken: readonly string[];
  readonly refused: readonly string[];
}

/** `|` between values, which are written as in YAML. */
const words = (text: string): readonly string[] => text.split(' | ');

const RECORDED: Readonly<Record<string, Recorded>> = {
  uint32: {
    schema: uint32(),
    taken: words(
      String.raw`"5." | "+5" | "50e-1" | "1e3" | "0X1F" | "-0" | "4294967295.0" | 5. | +5 | 017 | 1e2 | 0x1F | "00" | "5e+2" | "5E2" | -0 | 1e-0`,
    ),
    refused: words(String.raw`"5.0 " | "0b1" | "5e-1" | "0x" | 0o17 | "٣" | "5,0" | 1_0 | "" | true | -1 | " 5"`),
  },
  uint64: {
    schema: uint64(),
    taken: words(
      String.raw`"1e2" | "0x10" | "5.0" | "+5" | 1e2 | 8388608.0 | 0x10 | 017 | 018 | "018" | 8388607.9999999999 | "0x10.0" | "0x1p3" | "1e-400" | "9007199254740993.0" | "18446744073709551615"`,
    ),
    refused: words(
      String.raw`"18446744073709551615.0" | "1e19" | "8388608.5" | 0x | -1 | "- 5" | "" | "5e" | "inf" | " 5" | "5 "`,
    ),
  },
  int64: { schema: int64(), taken: ['"5"', '-5'], refused: ['" 5"'] },
  double: {
    schema: double(),
    taken: words(
      String.raw`" 1.5" | "1.5 " | "0x10" | "1e1" | ".5" | "inf" | "Infinity" | "-Infinity" | "infinity" | "nan" | "NaN" | "1e400" | "1e-400" | "+1.5" | "1." | "0x1p3" | "-0x10" | "\t1" | 1e3 | +1.5 | "1e5" | "Inf" | "+inf" | "0x1.8p1" | "0x.8" | "nan(1)" | "\n1" | "\v1" | inf | NaN | -inf | .5 | 5. | 0x10 | 017 | 018 | 1e400`,
    ),
    refused: words(
      String.raw`"" | "1.5f" | "1_0" | "1 2" | " " | .inf | .nan | 1_000.5 | 0o17 | true | "\u00a01" | "infinit" | "1e" | "e1" | "." | "+" | "0x" | "--1" | "+-1"`,
    ),
  },
  bool: {
    schema: bool(),
    taken: words('"True" | "TRUE" | "t" | "y" | "yes" | "1" | yes | on | y | off | "no" | "0" | T | t | "tRuE" | "F"'),
    refused: words('"on" | "off" | 1 | 0 | " true"'),
  },
  bytes: {
    schema: bytes(),
    taken: words('"1s" | "aGk" | "aGk=" | "aG==" | "aGkhaA" | "aH==" | "+/-_" | "_-8="'),
    refused: words(String.raw`" 1s" | "aG k=" | "aGk==" | "a" | "aG=" | "=" | "==" | "aGkh=" | "aG\n=="`),
  },
  duration: {
    schema: duration(),
    taken: words(
      '{} | {seconds: 1} | {seconds: "1"} | {seconds: 1.0} | {seconds: "1", nanos: 5} | {seconds: "0x1"} | {seconds: null} | 1s | "0001s" | "1.123456789s" | "-0s" | "9223372035.999s" | "000000000000000000001s" | 1.5s | "00.5s"',
    ),
    refused: words(
      String.raw`{nanos: -1} | {seconds: -1} | {seconds: 1, nanos: 1000000000} | {seconds: 1, nanos: -5} | {foo: 1} | {seconds: 1.5} | "1.1234567891s" | "-1s" | "1s " | "1,5s" | "1.0e0s" | "9223372036s" | "315576000000s" | "0.0000000001s" | "1s\n" | "1.s" | "s"`,
    ),
  },
  enumeration: {
    schema: policy,
    taken: words('maglev | "Maglev" | 5 | "5" | 0x5 | " 5" | "5 " | "+5" | "05" | "-0" | 05 | +5 | "0" | " 0"'),
    refused: words(
      '5.0 | "5.0" | "0x5" | " MAGLEV" | 99 | -1 | "" | true | [] | {} | "MAGLEV " | 5.5 | 5e0 | "5e0" | "0x0"',
    ),
  },
};

function taken(schema: Schema<unknown>, value: string): boolean {
  const { document } = parseDocument(`x: ${value}\n`, 'a.yaml');
  const node = document?.root.kind === 'map' ? document.root.entries[0]?.value : undefined;
  if (document === undefined || node === undefined) throw new Error(`${value} is not YAML`);
  return !check(schema, document, { vocabulary: 'proxy', node }).problems.some(({ severity }) => severity === 'error');
}

describe.each(Object.entries(RECORDED))('%s', (_, { schema, taken: good, refused }) => {
  it('takes what the proxy takes', () => {
    expect(good.filter((value) => !taken(schema, value))).toEqual([]);
  });

  it('refuses what the proxy refuses', () => {
    expect(refused.filter((value) => taken(schema, value))).toEqual([]);
  });
});

it('a number with a point is read as a double, an integer is not', () => {
  const values = ['"9007199254740993.0"', '"9007199254740993"', '"0x1.8p1"', '" 1.5"', '"1e400"', '-0x10'];
  const read = (schema: Schema<unknown>, value: string): unknown => {
    const { document } = parseDocument(`[${value}]\n`, 'a.yaml');
    const node = document?.root.kind === 'list' ? document.root.items[0] : undefined;
    return document && node && check(schema, document, { vocabulary: 'proxy', node }).value;
  };
  expect(values.slice(0, 2).map((value) => read(uint64(), value))).toEqual([9007199254740992n, 9007199254740993n]);
  expect(values.slice(2).map((value) => read(double(), value))).toEqual([3, 1.5, Infinity, -16]);
});
