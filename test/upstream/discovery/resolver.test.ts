import { describe, expect, it } from 'vitest';
import { Resolver } from '../../../src/upstream/discovery/resolver.js';

const both = new Resolver(
  new Map([
    ['both.test', { addresses: ['10.0.0.1', '2001:db8::1', '10.0.0.2', '10.0.0.1'], ttlUs: 7_000_000 }],
    ['four.test', { addresses: ['10.0.0.1'], ttlUs: undefined }],
    ['six.test', { addresses: ['2001:db8::1'], ttlUs: undefined }],
    ['broken.test', { fail: true }],
  ]),
);

function addresses(
  resolver: Resolver,
  name: string,
  family: 'AUTO' | 'V4_ONLY' | 'V6_ONLY' | 'V4_PREFERRED' | 'ALL',
): unknown {
  const lookup = resolver.lookup(name, family);
  return lookup.kind === 'success' ? lookup.addresses : lookup.kind;
}

describe('Resolver', () => {
  it('asks for IPv6 first under AUTO and takes IPv4 only where there is none', () => {
    expect(addresses(both, 'both.test', 'AUTO')).toEqual(['2001:db8::1']);
    expect(addresses(both, 'four.test', 'AUTO')).toEqual(['10.0.0.1']);
  });

  it('takes IPv6 under V4_PREFERRED where there is no IPv4, and both under ALL', () => {
    expect(addresses(both, 'both.test', 'V4_PREFERRED')).toEqual(['10.0.0.1', '10.0.0.2']);
    expect(addresses(both, 'six.test', 'V4_PREFERRED')).toEqual(['2001:db8::1']);
    expect(addresses(both, 'both.test', 'ALL')).toEqual(['10.0.0.1', '2001:db8::1', '10.0.0.2']);
  });

  it('gives each address once, in the order of the answer', () => {
    expect(addresses(both, 'both.test', 'V4_ONLY')).toEqual(['10.0.0.1', '10.0.0.2']);
    expect(addresses(both, 'four.test', 'V6_ONLY')).toEqual([]);
  });

  it('tells a name that does not exist from a query that fails', () => {
    expect(both.lookup('nowhere.test', 'AUTO')).toEqual({ kind: 'success', addresses: [], ttlUs: undefined });
    expect(both.lookup('broken.test', 'AUTO')).toEqual({ kind: 'failure' });
  });

  it('reads names without regard to case or to the dot at the end', () => {
    expect(addresses(both, 'Four.Test.', 'V4_ONLY')).toEqual(['10.0.0.1']);
  });

  it('resolves an IP address to itself', () => {
    expect(addresses(both, '10.1.1.1', 'AUTO')).toEqual(['10.1.1.1']);
    expect(addresses(both, '2001:db8:0::2', 'AUTO')).toEqual(['2001:db8::2']);
  });

  it('forgets what it knew when its map is replaced', () => {
    const resolver = new Resolver(new Map([['a.test', { addresses: ['10.0.0.1'], ttlUs: undefined }]]));
    resolver.replace(new Map([['b.test', { addresses: ['10.0.0.2'], ttlUs: undefined }]]));
    expect(addresses(resolver, 'a.test', 'AUTO')).toEqual([]);
    expect(addresses(resolver, 'b.test', 'AUTO')).toEqual(['10.0.0.2']);
  });
});
