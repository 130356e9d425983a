import type { Host } from '../../host/host.js';
import { drawAnother } from '../../random/draws.js';
import type { ListPolicyModule } from '../foreign/policy-module.js';
import { FACTS } from '../generated/policy-facts.js';

interface State {
  readonly choices: number;
  /** Working memory: the hosts that one pick has drawn. */
  readonly taken: number[];
}

/**
 * POWER_OF_D: of d different hosts drawn at random, the one with the fewest active requests, the first drawn on a tie.
 * The proxy's LEAST_REQUEST may draw one host several times, which matters where hosts are few: of two, it compares nothing
 * in every second pick. With d hosts or fewer this joins the shortest queue.
 * Draws: d per pick, or as many as there are hosts. Source: Mitzenmacher, "The power of two choices in randomized load
 * balancing", IEEE TPDS 2001, with choices without replacement.
 */
export const powerOfD: ListPolicyModule<State> = {
  ...FACTS.POWER_OF_D,
  start: ({ settings }) => ({ choices: Number(settings['choices']), taken: [] }),
  refresh: () => undefined,
  choose: ({ choices, taken }, _source, hosts, { random }) => {
    taken.length = 0;
    let best = -1;
    let fewest = Infinity;
    for (let choice = Math.min(choices, hosts.length); choice > 0; choice--) {
      const drawn = drawAnother(random, hosts.length, taken);
      const { activeRequests } = hosts[drawn] as Host;
      if (activeRequests >= fewest) continue;
      best = drawn;
      fewest = activeRequests;
    }
    return best;
  },
};
