import type { Host } from '../../host/host.js';
import { draw, drawOther } from '../../random/draws.js';
import type { ListPolicyModule, ModuleConfig } from '../foreign/policy-module.js';
import { FACTS } from '../generated/policy-facts.js';

interface Latency {
  /** Peak moving average, µs. */
  us: number;
  atUs: number;
}

type State = Readonly<{ config: ModuleConfig; latencies: WeakMap<Host, Latency> }>;

/** What a host costs that has open requests and has never answered, besides one for each of them: more than any latency. */
const PENALTY = Number.MAX_SAFE_INTEGER / 2 ** 16;

/**
 * PEAK_EWMA: of two different hosts drawn at random, the one with the lower latency times (active requests + 1).
 * The latency of a host is a moving average of its answers that jumps up to a slower one at once, and falls with time by
 * e^(−t / decay_time): the host is trusted again slowly, whether it answers faster or was not asked.
 * Example: decay 10 s. A host that took 50 ms beside others of 5 ms is not chosen for 10 s · ln(50 / 5) = 23 s.
 * Draws: two per pick; none for a single host. Source: Finagle's `PeakEwma`. The proxy's contrib extension of that name is
 * CONTRIB_PEAK_EWMA.
 */
export const peakEwma: ListPolicyModule<State> = {
  ...FACTS.PEAK_EWMA,
  start: (config) => ({ config, latencies: new WeakMap() }),
  refresh: () => undefined,
  choose: (state, _source, hosts, { random }) => {
    if (hosts.length === 1) return 0;
    const first = draw(random, hosts.length);
    const second = drawOther(random, hosts.length, first);
    return cost(state, hosts[second] as Host) < cost(state, hosts[first] as Host) ? second : first;
  },
  answered: observe,
};

function cost(state: State, host: Host): number {
  const { activeRequests } = host;
  const us = state.latencies.has(host) ? observe(state, host, 0) : 0;
  return us === 0 && activeRequests > 0 ? PENALTY + activeRequests : us * (activeRequests + 1);
}

/** @returns the average from now on. */
function observe({ config, latencies }: State, host: Host, latencyUs: number): number {
  const { nowUs } = config.clock;
  const latency = latencies.get(host);
  if (latency === undefined) {
    latencies.set(host, { us: latencyUs, atUs: nowUs });
    return latencyUs;
  }
  const kept = Math.exp((latency.atUs - nowUs) / Number(config.settings['decay_time']));
  latency.us = latencyUs > latency.us ? latencyUs : latency.us * kept + latencyUs * (1 - kept);
  latency.atUs = nowUs;
  return latency.us;
}
