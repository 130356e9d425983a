import { describe, expect, it } from 'vitest';
import { run } from '../support/run.js';

const place = (last: number): string => `10.0.0.${last}:80`;
const every = (at: string, address: string, status: string): object => ({
  at,
  set_health: { hosts: address, status },
});

/** Host by host: weight, health, and how it serves where that is not as always. */
async function states(timeline: readonly object[]): Promise<readonly (readonly string[])[]> {
  const result = await run({
    proxy: { version: '1.40' },
    clusters: [{ name: 'c', common_lb_config: { update_merge_window: '0s' } }],
    endpoints: { c: [{ address: place(1), count: 3 }] },
    workloads: [{ cluster: 'c', arrivals: { constant: '10/s' } }],
    timeline,
    duration: '10s',
  });
  return (result.clusters['c']?.phases ?? []).map(({ hosts }) =>
    hosts.map(({ weight, health, truth }) => [weight, health, truth].filter((one) => one !== undefined).join(' ')),
  );
}

describe('the states of a phase', () => {
  it('are those before where nothing changed, and those of now where something did', async () => {
    const weight = (at: string, of: number): object => ({ at, set_weight: { hosts: place(3), weight: of } });
    const found = await states([every('1s', place(2), 'UNHEALTHY'), weight('2s', 5), every('3s', place(2), 'HEALTHY')]);
    expect(found).toEqual([
      ['1 healthy', '1 healthy', '1 healthy'],
      ['1 healthy', '1 unhealthy', '1 healthy'],
      ['1 healthy', '1 unhealthy', '5 healthy'],
      ['1 healthy', '1 healthy', '5 healthy'],
    ]);
  });

  it('tell how other hosts serve by then', async () => {
    const dead = { at: '2s', set_behavior: { hosts: place(1), down: 'refuse' } };
    const found = await states([every('1s', place(2), 'UNHEALTHY'), dead, every('3s', place(2), 'HEALTHY')]);
    expect(found.at(-1)).toEqual(['1 healthy dead', '1 healthy', '1 healthy']);
  });

  it('tell who fails, hangs, is slow or is back, one host after the other', async () => {
    const serve = (second: number, address: string, behavior: object): object => ({
      at: `${second}s`,
      set_behavior: { hosts: address, ...behavior },
    });
    const found = await states([
      serve(1, place(1), { error_rate: '50%' }),
      serve(2, place(2), { down: 'hang' }),
      serve(3, '10.0.0.0/30', { service_time: '1ms' }),
      serve(4, place(3), { service_time: '9ms' }),
      serve(5, place(2), { down: 'none' }),
      serve(6, place(1), { error_rate: '0%' }),
      serve(7, '10.0.0.3', { down: 'refuse' }),
      serve(8, place(3), { down: 'none' }),
      serve(9, place(3), { service_time: '0.1ms' }),
    ]);
    const truths = found.map((hosts) => hosts.map((one) => one.replace('1 healthy', '').trim()));
    expect(truths).toEqual([
      ['', '', ''],
      ['failing', '', ''],
      ['failing', 'hangs', ''],
      ['failing', 'hangs', ''],
      ['failing', 'hangs', 'slow'],
      ['failing', 'back', 'slow'],
      ['back', 'back', 'slow'],
      ['back', 'back', 'dead'],
      ['back', 'back', 'slow'],
      ['slow', 'slow', 'back'],
    ]);
  });

  it('are of the hosts that are left', async () => {
    const gone = { at: '2s', remove_hosts: place(1) };
    const found = await states([every('1s', place(2), 'UNHEALTHY'), gone, every('3s', place(2), 'HEALTHY')]);
    expect(found.slice(2)).toEqual([
      ['1 unhealthy', '1 healthy'],
      ['1 healthy', '1 healthy'],
    ]);
  });

  it('follow a host that takes turns with another', async () => {
    const flaps = [1, 2, 3, 4].map((second) =>
      every(`${second}s`, place(second % 2 === 0 ? 1 : 3), second > 2 ? 'HEALTHY' : 'UNHEALTHY'),
    );
    const found = await states([...flaps, every('5s', '10.0.0.0/30', 'DEGRADED')]);
    expect(found.map((hosts) => hosts.map((one) => one.slice(2, 3)).join(''))).toEqual([
      'hhh',
      'hhu',
      'uhu',
      'uhh',
      'hhh',
      'ddd',
    ]);
  });
});
