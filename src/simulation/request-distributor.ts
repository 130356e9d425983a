import type { RandomStream } from '../random/streams.js';
import type { ProxySpec } from '../settings/world.js';

/** Distributes requests over proxies by their shares, and there over workers evenly. */
export class RequestDistributor {
  proxy = 0;
  worker = 0;
  private readonly targets: readonly { readonly index: number; readonly until: number; readonly workers: number }[];
  private readonly total: number;

  /** @param names the proxies that take part; undefined: all. */
  constructor(
    proxies: readonly { readonly spec: Pick<ProxySpec, 'name' | 'share' | 'workers'> }[],
    names: readonly string[] | undefined,
    private readonly stream: RandomStream,
  ) {
    let total = 0;
    const targets = [];
    for (const [index, { spec }] of proxies.entries()) {
      if (names !== undefined && !names.includes(spec.name)) continue;
      total += spec.share;
      targets.push({ index, until: total, workers: spec.workers });
    }
    this.targets = targets;
    this.total = total;
  }

  /** Draws proxy and worker of the next request; no draw where there is only one. */
  next(): void {
    const { targets } = this;
    let target = targets[0];
    if (targets.length > 1) {
      const drawn = this.stream.uniform() * this.total;
      target = targets.find((candidate) => drawn < candidate.until) ?? targets[targets.length - 1];
    }
    this.proxy = target?.index ?? 0;
    const workers = target?.workers ?? 1;
    this.worker = workers === 1 ? 0 : Math.floor(this.stream.uniform() * workers);
  }
}
