import { describe, expect, it } from 'vitest';
import { Host } from '../../../src/host/host.js';
import {
  originalDstAddress,
  OriginalDstBalancer,
  OriginalDstDiscovery,
} from '../../../src/upstream/discovery/original-dst.js';

const SECOND = 1_000_000;
const header = (value: string) => ({ 'x-proxy-original-dst-host': value });

function setUp(
  useHttpHeader = true,
  keepsConnected = false,
  more: { headerName?: string; portOverride?: number } = {},
) {
  const clock = { nowUs: 0 };
  let next: { timeUs: number; callback: () => void } | undefined;
  const removed: string[] = [];
  const connected = new Set<string>();
  const discovery = new OriginalDstDiscovery(
    {
      clusterName: 'c',
      useHttpHeader,
      headerName: '',
      portOverride: undefined,
      ...more,
      cleanupIntervalUs: 5 * SECOND,
      keepsConnected,
      clock,
      schedule: (timeUs, callback) => void (next = { timeUs, callback }),
    },
    {
      add: ({ address, hostname }) => new Host({ address, hostname }),
      isConnected: ({ address }) => connected.has(address),
      remove: (hosts) => removed.push(...hosts.map(({ address }) => address)),
    },
  );
  discovery.start();
  const sweep = (): number => {
    if (next === undefined) throw new Error('nothing is scheduled');
    clock.nowUs = next.timeUs;
    next.callback();
    return clock.nowUs;
  };
  return { discovery, removed, connected, sweep };
}

describe('originalDstAddress', () => {
  it('takes an IP address with a port, and the first value only', () => {
    expect(originalDstAddress('10.0.0.1:80')).toBe('10.0.0.1:80');
    expect(originalDstAddress('[2001:db8:0::1]:443')).toBe('[2001:db8::1]:443');
    expect(originalDstAddress('10.0.0.1:80, 10.0.0.2:80')).toBe('10.0.0.1:80');
    expect(originalDstAddress('10.0.0.1:65535')).toBe('10.0.0.1:65535');
  });

  it.each(['', 'not-an-address', '10.0.0.1', '10.0.0.1:', 'svc.test:80', '10.0.0.1:65536', '::1:80', '[10.0.0.1]:80'])(
    'finds no address in "%s"',
    (value) => {
      expect(originalDstAddress(value)).toBeUndefined();
    },
  );
});

describe('OriginalDstBalancer', () => {
  it('stands as one level that has all of the load', () => {
    const balancer = new OriginalDstBalancer(() => undefined);
    expect(balancer.describe()).toMatchObject({ normalizedTotal: 100, priorities: [] });
  });
});

describe('OriginalDstDiscovery', () => {
  it('makes a host when it is first asked for, and finds it again', () => {
    const { discovery } = setUp();
    const host = discovery.hostFor(header('10.0.0.1:80'));
    expect(host).toMatchObject({ address: '10.0.0.1:80', hostname: 'c10.0.0.1:80' });
    expect(discovery.hostFor(header('10.0.0.1:80'))).toBe(host);
  });

  it('counts headers that name no address, each time', () => {
    const { discovery } = setUp();
    expect(discovery.hostFor(header('nonsense'))).toBeUndefined();
    expect(discovery.hostFor(header('nonsense'))).toBeUndefined();
    expect(discovery.hostFor({})).toBeUndefined();
    expect(discovery.originalDstHostInvalid).toBe(2);
  });

  it('passes the header over unless it is told to read it', () => {
    const { discovery } = setUp(false);
    expect(discovery.hostFor(header('10.0.0.1:80'))).toBeUndefined();
    expect(discovery.originalDstHostInvalid).toBe(0);
  });

  it('removes at each sweep what nobody asked for since the sweep before', () => {
    const { discovery, removed, sweep } = setUp();
    discovery.hostFor(header('10.0.0.1:80'));
    discovery.hostFor(header('10.0.0.2:80'));
    expect(sweep()).toBe(5 * SECOND);
    expect(removed).toEqual([]);
    const kept = discovery.hostFor(header('10.0.0.1:80'));
    expect(sweep()).toBe(10 * SECOND);
    expect(removed).toEqual(['10.0.0.2:80']);
    expect(discovery.hostFor(header('10.0.0.1:80'))).toBe(kept);
  });

  it.each([
    [false, ['10.0.0.1:80']],
    [true, []],
  ])('removes what is still connected unless it keeps that: %s', (keeps, expected) => {
    const { discovery, removed, connected, sweep } = setUp(true, keeps);
    discovery.hostFor(header('10.0.0.1:80'));
    connected.add('10.0.0.1:80');
    sweep();
    sweep();
    expect(removed).toEqual(expected);
    connected.clear();
    sweep();
    expect(removed).toEqual(['10.0.0.1:80']);
  });

  it('asks for a removed address as for a new one', () => {
    const { discovery, sweep } = setUp();
    const first = discovery.hostFor(header('10.0.0.1:80'));
    sweep();
    sweep();
    expect(discovery.hostFor(header('10.0.0.1:80'))).not.toBe(first);
  });

  it('leaves its hosts alone once it is stopped', () => {
    const { discovery, removed, sweep } = setUp();
    discovery.hostFor(header('10.0.0.1:80'));
    sweep();
    discovery.stop();
    sweep();
    expect(removed).toEqual([]);
  });
});

describe('an original destination of v3', () => {
  it('is named by the header that the cluster asks for', () => {
    const { discovery } = setUp(true, false, { headerName: 'x-dst' });
    expect(discovery.hostFor({ 'x-dst': '10.0.0.1:80' })?.address).toBe('10.0.0.1:80');
    expect(discovery.hostFor(header('10.0.0.1:80'))).toBeUndefined();
  });

  it('has the port that the cluster says', () => {
    const { discovery } = setUp(true, false, { portOverride: 8443 });
    expect(discovery.hostFor(header('10.0.0.1:80'))?.address).toBe('10.0.0.1:8443');
  });
});
