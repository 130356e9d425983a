import type { RandomStream } from '../random/streams.js';

interface Target {
  readonly specName: string;
  readonly share: number;
  readonly workers: number;
}

/** Distributes requests over proxies by their shares, and there over workers evenly. */
export class RequestDistributor {
  proxy = 0;
  worker = 0;
  private readonly targets: readonly { readonly index: number; readonly until: number; readonly workers: number }[];
  private readonly total: number;

  /** @param names the proxies that take part; undefined: all. */
  constructor(
    proxies: readonly Target[],
    names: readonly string[] | undefined,
    private readonly stream: RandomStream,
  ) {
    let total = 0;
    const targets = [];
    for (const [index, proxy] of proxies.entries()) {
      if (names !== undefined && !names.includes(proxy.specName)) continue;
      total += proxy.share;
      targets.push({ index, until: total, workers: proxy.workers });
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
