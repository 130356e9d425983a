import { mod } from '../../core/u64.js';
import { MICROS_PER_MILLI } from '../../core/units.js';
import { entryOf } from '../../core/values.js';
import type { Host } from '../../host/host.js';
import type { HostIndex } from '../policy-kinds.js';
import type { ListPolicyModule, ModuleConfig } from '../foreign/policy-module.js';
import { FACTS } from '../generated/policy-facts.js';

interface Latencies {
  /** The average, ms; 0: none yet. */
  ms: number;
  /** Answers since the last aggregation, a ring. */
  readonly samples: { ms: number; atUs: number }[];
  written: number;
  aggregated: number;
}

interface State {
  readonly config: ModuleConfig;
  readonly startUs: number;
  readonly decayMs: number;
  readonly intervalUs: number;
  readonly maxSamples: number;
  readonly defaultMs: number;
  readonly penalty: number;
  readonly hosts: WeakMap<Host, Latencies>;
}

/**
 * CONTRIB_PEAK_EWMA: `envoy.load_balancing_policies.peak_ewma` of contrib builds of the proxy. Of two different hosts drawn at random, the
 * one with the lower average latency times (active requests + 1).
 * It differs from PEAK_EWMA, which is Finagle's, in ways that can be seen:
 * - No peak: an answer counts by its age when it is aggregated, 1 − e^(−age / decay_time), at most 1 % with the defaults, whether it was slow or
 *   fast; only the first sets the average. An average stays as it is where no answers come.
 * - Latencies are whole milliseconds, and 0 is no measurement: a host below 1 ms has no average, and is avoided while it has a request open.
 * - Healthy hosts of the first priority alone are chosen from: priorities, panic, degraded hosts and localities do not matter.
 * Draws: one per pick; none for a single host. Source: docs of extensions.load_balancing_policies.peak_ewma.v3alpha.PeakEwma; what they leave
 * open as its source has it. It was not compared with a running proxy: published builds are without contrib extensions. Here each worker goes by
 * its own answers, and a wait for a connection counts as latency; there workers share them, and it does not.
 */
export const contribPeakEwma: ListPolicyModule<State> = {
  ...FACTS.CONTRIB_PEAK_EWMA,
  start: (config) => ({
    config,
    startUs: config.clock.nowUs,
    decayMs: wholeMs(Number(config.settings['decay_time'])),
    intervalUs: wholeMs(Number(config.settings['aggregation_interval'])) * MICROS_PER_MILLI,
    maxSamples: Number(config.settings['max_samples_per_host']),
    defaultMs: wholeMs(Number(config.settings['default_rtt'])),
    penalty: Number(config.settings['penalty_value']),
    hosts: new WeakMap(),
  }),
  refresh: () => undefined,
  choose: (state, _source, hosts, { random }): HostIndex => {
    const { length } = hosts;
    if (length === 1) return 0;
    random.next();
    const { hi, lo } = random;
    const first = mod(hi, lo, length);
    const later = mod(hi >>> 16, ((hi << 16) | (lo >>> 16)) >>> 0, length);
    const second = later === first ? (later + 1) % length : later;
    const [firstCost, secondCost] = [cost(state, hosts[first] as Host), cost(state, hosts[second] as Host)];
    const takesFirst = firstCost === secondCost ? (lo & 1) === 1 : firstCost < secondCost;
    return takesFirst ? first : second;
  },
  answered: (state, host, latencyUs, outcome) => {
    if (outcome !== 'success' && outcome !== 'error') return;
    const latencies = entryOf(state.hosts, host, () => ({ ms: 0, samples: [], written: 0, aggregated: 0 }));
    aggregate(state, latencies);
    const sample = { ms: wholeMs(latencyUs), atUs: state.config.clock.nowUs };
    latencies.samples[latencies.written++ % state.maxSamples] = sample;
  },
};

function cost(state: State, host: Host): number {
  const latencies = state.hosts.get(host);
  if (latencies !== undefined) aggregate(state, latencies);
  const { activeRequests: active } = host;
  if (latencies !== undefined && latencies.ms > 0) return latencies.ms * (active + 1);
  return active > 0 ? state.penalty + active : state.defaultMs * (active + 1);
}

/** Adds the answers before the last aggregation. A ring holds those of one interval: the next one empties it first. */
function aggregate({ config, startUs, intervalUs, decayMs, maxSamples }: State, latencies: Latencies): void {
  const { samples, written, aggregated } = latencies;
  const latest = samples[(written - 1) % maxSamples];
  if (written === aggregated || latest === undefined) return;
  const aggregatedUs = startUs + (Math.floor((latest.atUs - startUs) / intervalUs) + 1) * intervalUs;
  if (config.clock.nowUs < aggregatedUs) return;
  for (let index = aggregated; index < written; index++) {
    const sample = samples[index % maxSamples];
    if (sample === undefined || sample.ms === 0) continue;
    const part = 1 - Math.exp((sample.atUs - aggregatedUs) / MICROS_PER_MILLI / decayMs);
    latencies.ms = latencies.ms === 0 ? sample.ms : part * sample.ms + (1 - part) * latencies.ms;
  }
  latencies.aggregated = written;
}

const wholeMs = (us: number): number => Math.floor(us / MICROS_PER_MILLI);
