import { describe, expect, it } from 'vitest';
import { formatIp, ipAfter, parseIp } from '../../src/core/ip.js';
import { canonicalAddress, describeSelector, parseHostPort, parseSelectorText } from '../../src/scenario/selector.js';
import { hostPredicate, type SelectableHost, type Selector } from '../../src/settings/selector.js';

const host: SelectableHost = {
  address: '10.0.0.1:80',
  hostname: 'web-1',
  cluster: 'backend',
  priority: 1,
  locality: { region: 'eu', zone: 'a', subZone: 'rack-1' },
  metadata: { version: '2', tags: ['x', { y: 1 }], canary: true },
};
const host6: SelectableHost = { ...host, address: '[2001:db8::1]:80' };

const matches = (selector: Selector, to: SelectableHost): boolean => hostPredicate(selector)(to);

describe('matches', () => {
  it('takes every host for no parts', () => {
    expect(matches({}, host)).toBe(true);
  });

  it.each([
    ['10.0.0.1:80', true],
    ['10.0.0.1', true],
    ['10.0.0.0/30', true],
    ['0.0.0.0/0', true],
    ['10.0.0.1/32', true],
    ['10.0.0.1:8', false],
    ['10.0.0.1:81', false],
    ['10.0.0.11', false],
    ['10.0.0.2/32', false],
    ['::/0', false],
  ])('address %s: %s', (address, expected) => {
    expect(matches({ address }, host)).toBe(expected);
  });

  it.each([
    ['[2001:db8::1]:80', true],
    ['2001:db8::1', true],
    ['2001:db8::/32', true],
    ['2001:db8::/128', false],
    ['2001:db8::2', false],
    ['0.0.0.0/0', false],
  ])('IPv6 address %s: %s', (address, expected) => {
    expect(matches({ address }, host6)).toBe(expected);
  });

  it('needs all parts', () => {
    expect(matches({ hostname: 'web-1', cluster: 'backend', priority: 1, locality: { zone: 'a' } }, host)).toBe(true);
    expect(matches({ hostname: 'web-1', cluster: 'other' }, host)).toBe(false);
    expect(matches({ hostname: 'web-2' }, host)).toBe(false);
    expect(matches({ priority: 0 }, host)).toBe(false);
    expect(matches({ locality: { zone: 'a', region: 'us' } }, host)).toBe(false);
    expect(matches({ locality: { subZone: 'rack-2' } }, host)).toBe(false);
  });

  it('compares metadata deeply and by type', () => {
    expect(matches({ metadata: { version: '2' } }, host)).toBe(true);
    expect(matches({ metadata: { version: 2 } }, host)).toBe(false);
    expect(matches({ metadata: { tags: ['x', { y: 1 }] } }, host)).toBe(true);
    expect(matches({ metadata: { tags: ['x'] } }, host)).toBe(false);
    expect(matches({ metadata: { tags: ['x', { y: 1, z: 2 }] } }, host)).toBe(false);
    expect(matches({ metadata: { absent: null } }, host)).toBe(false);
  });
});

describe('selectors in one word', () => {
  it.each([
    ['zone=a', { locality: { zone: 'a' } }],
    ['10.0.0.3:80', { address: '10.0.0.3:80' }],
    ['10.0.0.9/24', { address: '10.0.0.0/24' }],
    ['2001:DB8:0::1', { address: '2001:db8::1' }],
    ['priority=0', { priority: 0 }],
    ['cluster=backend,zone=a', { cluster: 'backend', locality: { zone: 'a' } }],
    ['region=eu, sub_zone=r', { locality: { region: 'eu', subZone: 'r' } }],
    ['metadata.version="2",metadata.canary=true', { metadata: { version: '2', canary: true } }],
    ['metadata.stage=dev', { metadata: { stage: 'dev' } }],
    ['*', {}],
  ])('%s', (text, selector) => {
    expect(parseSelectorText(text)).toEqual({ ok: true, value: selector });
  });

  it.each([
    [
      'zoen=a',
      '"zoen" is not a part of a selector: known are address, hostname, cluster, priority, zone, region, sub_zone and metadata.KEY',
    ],
    ['priority=first', '"first" is not a priority: allowed are 0 to 127'],
    ['', '"" is not a selector: write zone=a, 10.0.0.3:80, priority=0 or cluster=NAME'],
    ['zone=', '"zone=" is not a selector: write zone=a, 10.0.0.3:80, priority=0 or cluster=NAME'],
    ['10.0.0.300:80', '"10.0.0.300:80" is not an address: "10.0.0.300" is not an IP address'],
    ['10.0.0.0/33', '"10.0.0.0/33" is not a CIDR block: write it as 10.0.0.0/24 or 2001:db8::/32'],
    ['web:80', '"web:80" names no IP address: a selector\'s address is ip:port, ip or CIDR; for names use hostname'],
  ])('refuses %j', (text, message) => {
    expect(parseSelectorText(text)).toEqual({ ok: false, message });
  });
});

describe('describeSelector', () => {
  it.each([
    [{}, 'every host'],
    [{ locality: { zone: 'a' } }, 'zone a'],
    [{ locality: { zone: 'a' }, cluster: 'backend' }, 'zone a of backend'],
    [{ priority: 0 }, 'priority 0'],
    [{ metadata: { version: '2' } }, 'every host with version=2'],
    [{ address: '10.0.0.3:80' }, '10.0.0.3:80'],
    [{ locality: { zone: '' } }, 'zone ""'],
  ])('%j is %j', (selector, text) => {
    expect(describeSelector(selector)).toBe(text);
  });
});

describe('addresses', () => {
  it.each([
    ['2001:0DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['::', '::'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
    ['::ffff:10.0.0.1', '::ffff:10.0.0.1'],
    ['64:ff9b::10.0.0.1', '64:ff9b::a00:1'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
  ])('%s is written %s', (text, canonical) => {
    expect(canonicalAddress(text)).toEqual({ ok: true, value: canonical });
  });

  it('counts on through the octets and stops at the end', () => {
    const ip = parseIp('10.0.0.250');
    const after = ip && ipAfter(ip, 10);
    expect(after && formatIp(after)).toBe('10.0.1.4');
    const last = parseIp('255.255.255.255');
    expect(last && ipAfter(last, 1)).toBeUndefined();
  });

  it.each([
    ['[2001:db8::1]:443', { host: '2001:db8::1', port: 443 }],
    ['svc.example.test:80', { host: 'svc.example.test', ip: undefined, port: 80 }],
    ['10.0.0.1:0', { host: '10.0.0.1', port: 0 }],
  ])('%s', (text, expected) => {
    expect(parseHostPort(text)).toMatchObject({ ok: true, value: expected });
  });

  it.each([
    ['10.0.0.1', '"10.0.0.1" has no port: write 10.0.0.1:80'],
    ['2001:db8::1', '"2001:db8::1" has no port: write [2001:db8::1]:80'],
    ['10.0.0.1:65536', 'port 65536 is out of range: allowed are 0 to 65535'],
    ['10.0.0:80', '"10.0.0:80" is not an address: "10.0.0" is not an IP address'],
    ['a b:80', '"a b" is not a host name'],
    ['localhost', '"localhost" is not an address: write ip:port, as 10.0.0.1:80 or [2001:db8::1]:80'],
  ])('refuses %j', (text, message) => {
    expect(parseHostPort(text)).toEqual({ ok: false, message });
  });
});
