import type { Schema } from '../../../src/config/reader/schema.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check, parseDocument } from '../../../src/config/reader.js';
import { bool, bytes, enumeration, string, utf8Length } from '../../../src/config/reader/proto/strings.js';
import { boolValue, duration, struct, uint32Value } from '../../../src/config/reader/proto/well-known.js';
import { double, int64, integerText, uint32, uint64 } from '../../../src/config/reader/proto/numbers.js';
import { read } from './support.js';

/** Reads one value as YAML and, where it is JSON too, as JSON. */
function valueOf(schema: Schema<unknown>, yaml: string): unknown {
  return read(schema, yaml).value ?? 'error';
}

describe('integers', () => {
  test.each([
    ['5', 5],
    ['"5"', 5],
    ['5.0', 5],
    ['"5.0"', 5],
    ['5e2', 500],
    ['"5e2"', 500],
    ['"0x10"', 16],
    ['0x10', 16],
    ['"05"', 5],
    ['010', 8],
    ['"+5"', 5],
    ['+5', 5],
    ['"1000.0e-2"', 10],
    ['4294967295', 4294967295],
    ['4294967296', 'error'],
    ['5.5', 'error'],
    ['" 5"', 'error'],
    ['""', 'error'],
    ['true', 'error'],
    ['-1', 'error'],
    ['"-1"', 'error'],
    ['1_000', 'error'],
    ['"1e400"', 'error'],
    ['[5]', 'error'],
    ['{}', 'error'],
  ])('uint32: %s is %s', (yaml, expected) => {
    expect(valueOf(uint32(), yaml)).toBe(expected);
  });

  test('64 bits stay whole, as number or string', () => {
    expect(valueOf(uint64(), '18446744073709551615')).toBe(18446744073709551615n);
    expect(valueOf(uint64(), '"18446744073709551615"')).toBe(18446744073709551615n);
    expect(valueOf(uint64(), '18446744073709551616')).toBe('error');
    expect(valueOf(uint64(), '9007199254740993')).toBe(9007199254740993n);
    expect(valueOf(int64(), '-9223372036854775808')).toBe(-9223372036854775808n);
    expect(valueOf(int64(), '9223372036854775808')).toBe('error');
  });

  test('limits tell what is allowed and what was found', () => {
    const message = (yaml: string): string | undefined => read(uint32({ min: 1, max: 128 }), yaml).problems[0]?.message;
    expect(message('129')).toBe('must be a whole number from 1 to 128, found 129');
    expect(message('0')).toBe('must be a whole number from 1 to 128, found 0');
    expect(message('x')).toBe('expected a whole number from 1 to 128, found x');
    expect(message('128')).toBeUndefined();
  });

  test('every 64-bit integer is read as it was written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 18446744073709551615n }), fc.boolean(), (value, quoted) => {
        expect(valueOf(uint64(), quoted ? `"${value}"` : String(value))).toBe(value);
      }),
    );
  });

  test('decimal text agrees with Number wherever that is exact', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 6 }), (mantissa, exponent) => {
        expect(integerText(`${mantissa}e${exponent}`)).toBe(BigInt(mantissa) * 10n ** BigInt(exponent));
        expect(integerText(`${mantissa}${'0'.repeat(exponent)}e-${exponent}`)).toBe(BigInt(mantissa));
      }),
    );
  });
});

describe('wrappers', () => {
  test.each([
    ['5', 5],
    ['"5"', 5],
    ['{value: 5}', 5],
    ['{}', 0],
    ['{value: ~}', 0],
    ['{vale: 5}', 'error'],
    ['{value: x}', 'error'],
    ['[5]', 'error'],
  ])('UInt32Value: %s is %s', (yaml, expected) => {
    expect(valueOf(uint32Value(), yaml)).toBe(expected);
  });

  test('limits hold inside', () => {
    expect(read(uint32Value({ min: 1 }), '{value: 0}').problems).toMatchObject([{ path: 'value', rule: 'range' }]);
    expect(valueOf(boolValue(), '{value: true}')).toBe(true);
  });
});

describe('bool', () => {
  test.each([
    ['true', true],
    ['True', true],
    ['yes', true],
    ['on', true],
    ['off', false],
    ['"true"', true],
    ['"True"', true],
    ['"yes"', true],
    ['"false"', false],
    ['1', 'error'],
    ['tRue', true],
    ['"on"', 'error'],
    ['{}', 'error'],
  ])('%s is %s', (yaml, expected) => {
    expect(valueOf(bool(), yaml)).toBe(expected);
  });
});

describe('string', () => {
  test.each([
    ['abc', 'abc'],
    ['"5"', '5'],
    ['2020-01-01', '2020-01-01'],
    ['10.0.0.1', '10.0.0.1'],
    ['1.5', '1.5'],
    ['12345678901', '12345678901'],
    ['5', 'error'],
    ['-5', 'error'],
    ['0x10', 'error'],
    ['true', 'error'],
    ['y', 'error'],
    ['{}', 'error'],
  ])('%s is %s', (yaml, expected) => {
    expect(valueOf(string(), yaml)).toBe(expected);
  });

  test('the message says how to write it', () => {
    expect(read(string(), '5').problems[0]?.message).toBe('expected a string, but 5 reads as a number: write "5"');
  });

  test('lengths count bytes', () => {
    expect(utf8Length('aé€😀')).toBe(1 + 2 + 3 + 4);
  });
});

describe('double', () => {
  test.each([
    ['33.7', 33.7],
    ['"33.7"', 33.7],
    ['1e2', 100],
    ['-0.0001', -0.0001],
    ['"Infinity"', Infinity],
    ['.inf', 'error'],
    ['abc', 'error'],
    ['1e999', Infinity],
    ['{}', 'error'],
  ])('%s is %s', (yaml, expected) => {
    expect(valueOf(double(), yaml)).toBe(expected);
  });

  test('a limited one is never NaN', () => {
    expect(valueOf(double({ min: 0, max: 100 }), '"NaN"')).toBe('error');
    expect(valueOf(double(), '"NaN"')).toBeNaN();
  });
});

describe('enumerations', () => {
  const Colour = enumeration('Colour', { RED: 0, GREEN: 1, BLUE: 7 }, { deprecated: { GREEN: 'use BLUE' } });

  test.each([
    ['RED', 'RED'],
    ['blue', 'BLUE'],
    ['7', 'BLUE'],
    ['"7"', 'BLUE'],
    ['7.0', 'error'],
    ['2', 'error'],
    ['-1', 'error'],
    ['1.5', 'error'],
    ['BLAU', 'error'],
    ['true', 'error'],
    ['{}', 'error'],
  ])('%s is %s', (yaml, expected) => {
    expect(valueOf(Colour, yaml)).toBe(expected);
  });

  test('an open one takes a number without a name for 0, and says so', () => {
    const Open = enumeration('Open', { ZERO: 0, ONE: 1 }, { open: true });
    expect([valueOf(Open, '1'), valueOf(Open, '99'), valueOf(Open, '"-3"')]).toEqual(['ONE', 'ZERO', 'ZERO']);
    expect([valueOf(Open, 'TWO'), valueOf(Open, '1.5'), valueOf(Open, '2147483648')]).toEqual(Array(3).fill('error'));
    const { severity, message } = read(Open, '99').problems[0] ?? {};
    expect([severity, message]).toEqual(['warning', '99 is no Open: the proxy takes it for ZERO']);
  });

  test('a wrong name is answered with the right ones', () => {
    expect(read(Colour, 'BLEU').problems[0]?.message).toBe(
      'expected one of RED, GREEN, BLUE, found BLEU (did you mean BLUE?)',
    );
  });

  test('a deprecated value is one, however it is written', () => {
    expect(read(Colour, '1').problems).toMatchObject([{ severity: 'deprecation' }]);
  });
});

describe('durations', () => {
  test.each([
    ['1s', 1e6],
    ['"1.5s"', 1.5e6],
    ['01s', 1e6],
    ['0.000000001s', 0.001],
    ['0.0000005s', 0.5],
    ['{seconds: 1, nanos: 500000000}', 1.5e6],
    ['{seconds: "2"}', 2e6],
    ['{}', 0],
    ['-0s', 0],
    ['1ms', 'error'],
    ['1', 'error'],
    ['"1"', 'error'],
    ['" 1s"', 'error'],
    ['+1s', 'error'],
    ['.5s', 'error'],
    ['1.s', 'error'],
    ['1e3s', 'error'],
    ['1S', 'error'],
    ['"1,5s"', 'error'],
    ['1.1234567890s', 'error'],
    ['-1s', 'error'],
    ['9223372035s', 9223372035e6],
    ['9223372036s', 'error'],
    ['315576000001s', 'error'],
    ['{hours: 1}', 'error'],
  ])('%s is %s µs', (yaml, expected) => {
    expect(valueOf(duration(), yaml)).toBe(expected);
  });

  test('limits are exact to the nanosecond', () => {
    const atLeastMs = duration({ min: 0.001 });
    expect(valueOf(atLeastMs, '0.001s')).toBe(1000);
    expect(valueOf(atLeastMs, '0.000999999s')).toBe('error');
    expect(valueOf(duration({ above: 0 }), '0s')).toBe('error');
    expect(valueOf(duration({ below: 300 }), '300s')).toBe('error');
    expect(valueOf(duration({ below: 300 }), '299.999999999s')).toBe(299999999.999);
  });

  test.each([
    ['250ms', '(here: "0.25s")'],
    ['5m', '(here: "300s")'],
    ['5', '(here: "5s")'],
  ])('%s is answered with %s', (yaml, hint) => {
    expect(read(duration(), yaml).problems[0]?.message).toContain(hint);
  });
});

describe('bytes', () => {
  test.each([
    ['"aGVsbG8="', 'hello'],
    ['aGVsbG8', 'hello'],
    ['"_-8="', '\u00ff\u00ef'],
    ['""', ''],
  ])('%s', (yaml, expected) => {
    const { value } = read(bytes(), yaml);
    expect(String.fromCharCode(...(value ?? []))).toBe(expected);
  });

  test('agree with Buffer', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.constantFrom('base64' as const, 'base64url' as const), (data, encoding) => {
        const text = Buffer.from(data).toString(encoding);
        expect([...(read(bytes(), JSON.stringify(text)).value ?? [])]).toEqual([...data]);
      }),
    );
  });

  test.each(['"a"', '"a!b="', '{}', '5'])('%s is no base64', (yaml) => {
    expect(valueOf(bytes(), yaml)).toBe('error');
  });
});

describe('Struct', () => {
  test('as the proxy reads YAML: a number that is no 32-bit integer is text', () => {
    const yaml = 'a: 1\nb: 1.0\nc: "1"\nd: yes\ne: ~\nf: [1.5, {g: x}]\nh: 123456789012345678901234567890\ni: -7\n';
    expect(valueOf(struct(), yaml)).toEqual({
      a: 1,
      b: '1.0',
      c: '1',
      d: true,
      e: null,
      f: ['1.5', { g: 'x' }],
      h: '123456789012345678901234567890',
      i: -7,
    });
  });

  test('in JSON a number is a number', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const { document } = parseDocument(JSON.stringify(value), 'f.json');
        if (document === undefined) return;
        // JSON has one zero.
        expect(check(struct(), document, { vocabulary: 'proxy' }).value).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('is a map', () => {
    expect(valueOf(struct(), '[]')).toBe('error');
    expect(valueOf(struct(), 'x')).toBe('error');
  });
});
