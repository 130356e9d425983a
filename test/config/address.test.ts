import { isIP, isIPv4 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Address, addressText } from '../../src/config/address.js';
import { formatIp, formatIpPort, parseIp } from '../../src/core/ip.js';
import { read } from './reader/support.js';

describe('IP addresses', () => {
  test.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::', '::'],
    ['::1', '::1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['fe80::', 'fe80::'],
    ['::ffff:1.2.3.4', '::ffff:1.2.3.4'],
    ['::ffff:0102:0304', '::ffff:1.2.3.4'],
    ['1:2:3:4:5:6:7.8.9.10', '1:2:3:4:5:6:708:90a'],
  ])('%s is written %s', (text, canonical) => {
    const ip = parseIp(text);
    if (ip === undefined) throw new Error('refused');
    expect(formatIp(ip)).toBe(canonical);
  });

  test.each([
    'localhost',
    '10.0.0',
    '10.0.0.256',
    '10.0.0.01',
    '10.0.0.1:80',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7::8',
    'fe80::1%eth0',
    '::10000',
    '1.2.3.4::',
    '',
  ])('%j is none', (text) => {
    expect(parseIp(text)).toBeUndefined();
  });

  test('are those of the system, and are canonical once written', () => {
    const ipLike = fc.oneof(fc.ipV4(), fc.ipV6(), fc.stringMatching(/^[0-9a-f:.]{0,20}$/));
    fc.assert(
      fc.property(ipLike, (text) => {
        const ip = parseIp(text);
        expect(ip !== undefined).toBe(isIP(text) !== 0);
        if (ip === undefined) return;
        expect(ip.version === 4).toBe(isIPv4(text));
        expect(parseIp(formatIp(ip))).toEqual(ip);
        const brackets = ip.version === 6 ? `[${formatIp(ip)}]` : formatIp(ip);
        if (ip.version === 6 && !formatIp(ip).includes('.'))
          expect(new URL(`http://${brackets}`).hostname).toBe(brackets);
      }),
      { numRuns: 2000 },
    );
  });

  test('with ports', () => {
    const port = (text: string): string => formatIpPort(parseIp(text) ?? { version: 4, groups: [0, 0] }, 80);
    expect(port('10.0.0.1')).toBe('10.0.0.1:80');
    expect(port('2001:db8::1')).toBe('[2001:db8::1]:80');
  });
});

describe('core.Address', () => {
  test.each([
    ['{socket_address: {address: 10.0.0.1, port_value: 0}}', '10.0.0.1:0'],
    ['{socket_address: {address: "2001:DB8::0:1", port_value: 80}}', '[2001:db8::1]:80'],
    ['{socketAddress: {address: a.example, portValue: "80", protocol: UDP}}', 'a.example:80'],
    ['{socket_address: {address: a.example, named_port: http}}', 'a.example:http'],
    ['{pipe: {path: "@x"}}', '@x'],
  ])('%s is %s', (yaml, text) => {
    const { value } = read(Address, yaml);
    if (value === undefined) throw new Error('refused');
    expect(addressText(value)).toBe(text);
  });

  test.each([
    ['{}', 'one-of-none'],
    ['{pipe: {path: x}, socket_address: {address: x, port_value: 1}}', 'one-of'],
    ['{socket_address: {address: x}}', 'one-of-none'],
    ['{socket_address: {address: "", port_value: 1}}', 'required'],
    ['{socket_address: {address: x, port_value: 65536}}', 'range'],
    ['{pipe: {path: x, mode: 512}}', 'range'],
  ])('%s is refused: %s', (yaml, rule) => {
    expect(read(Address, yaml).problems.find(({ severity }) => severity === 'error')?.rule).toBe(rule);
  });
});

describe('the path of a pipe', () => {
  const problemsOf = (pipe: string): readonly string[] =>
    read(Address, `{pipe: {${pipe}}}`).problems.flatMap(({ severity, path }) => (severity === 'error' ? [path] : []));

  test.each([
    [`path: /${'a'.repeat(106)}`, []],
    [`path: /${'a'.repeat(107)}`, ['pipe.path']],
    ['path: "@x", mode: 0', []],
    ['path: "@x", mode: 5', ['pipe.mode']],
    ['path: "@x\\0y"', []],
    ['path: "/x\\0y"', ['pipe.path']],
  ])('%s', (pipe, expected) => {
    expect(problemsOf(pipe)).toEqual(expected);
  });
});
