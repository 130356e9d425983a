import { microsToSeconds } from '../../core/units.js';
import { type LiveCluster, livePicture, type LiveState } from '../../report/run/live-picture.js';
import type { ProxyCluster } from '../../simulation/proxy-cluster.js';
import type { Simulation } from '../../words/library.js';
import { type Io, paintFor } from '../session.js';

const REDRAW_MS = 200;
/** Shares are of the requests in this many last pictures: the last second. */
const LOOKBACK = 5;
const DEFAULT_COLUMNS = 80;
const MOST_COLUMNS = 100;
const DEFAULT_ROWS = 24;
/** A picture is looked at beside other things. */
const MOST_ROWS = 20;

/** Requests by cluster and host, so far. */
type Counts = ReadonlyMap<string, number>;

/** The picture of a run on a terminal's standard error, drawn over itself as the run goes on. */
export class LiveView {
  private readonly startMs: number = this.io.monotonicMs();
  private lastMs = -Infinity;
  private lines = 0;
  private readonly before: Counts[] = [];

  /** @returns undefined where standard error is no terminal that can draw over what it shows. */
  static on(io: Io, name: string): LiveView | undefined {
    if (io.stderr.isTTY !== true || io.env['TERM'] === 'dumb') return undefined;
    return new LiveView(io, name);
  }

  private constructor(
    private readonly io: Io,
    private readonly name: string,
  ) {}

  update(simulation: Simulation): void {
    const now = this.io.monotonicMs();
    // What ends at once is not drawn.
    if (now - this.startMs < REDRAW_MS || now - this.lastMs < REDRAW_MS) return;
    this.lastMs = now;
    const { stderr, env } = this.io;
    const lines = livePicture(this.look(simulation), {
      // A full last column would begin a new line.
      width: Math.min(MOST_COLUMNS, (stderr.columns ?? DEFAULT_COLUMNS) - 1),
      rows: Math.min(MOST_ROWS, (stderr.rows ?? DEFAULT_ROWS) - 2),
      paint: paintFor(stderr, env),
    });
    stderr.write(`${this.erasure}${lines.map((line) => `${line}\n`).join('')}`);
    this.lines = lines.length;
  }

  /** Removes the picture, so that what follows begins on a clean line. */
  stop(): void {
    if (this.lines > 0) this.io.stderr.write(this.erasure);
    this.lines = 0;
  }

  /** Back to where the picture began, and nothing below. */
  private get erasure(): string {
    return this.lines === 0 ? '' : `\u001b[${this.lines}A\r\u001b[J`;
  }

  private look(simulation: Simulation): LiveState {
    const counts = countsOf(simulation);
    const [since = new Map<string, number>()] = this.before;
    this.before.push(counts);
    if (this.before.length > LOOKBACK) this.before.shift();
    const { requests, failed } = simulation.totals;
    return {
      name: this.name,
      atS: microsToSeconds(simulation.nowUs),
      progress: simulation.progress,
      requests,
      failed,
      clusters: (simulation.proxies[0]?.clusters ?? [])
        .filter(({ world }) => world.present)
        .map((cluster) => clusterNow(cluster, counts, since)),
    };
  }
}

const keyOf = (cluster: string, priority: number, address: string): string => `${cluster} ${priority} ${address}`;

/** Of all proxies together. */
function countsOf({ proxies }: Simulation): Counts {
  const counts = new Map<string, number>();
  for (const { clusters } of proxies) {
    for (const { name, upstream } of clusters) {
      for (const { host, priority } of upstream.priorities.hosts()) {
        const key = keyOf(name, priority, host.address);
        counts.set(key, (counts.get(key) ?? 0) + host.stats.rqTotal);
      }
    }
  }
  return counts;
}

/** Health and panic as the first proxy holds them. */
function clusterNow({ name, upstream, world, parts }: ProxyCluster, counts: Counts, since: Counts): LiveCluster {
  const rows = [...upstream.priorities.hosts()].map(({ host, priority }) => {
    const key = keyOf(name, priority, host.address);
    // A host that was replaced counts from 0 again.
    return { host, priority, latest: Math.max(0, (counts.get(key) ?? 0) - (since.get(key) ?? 0)) };
  });
  const sum = rows.reduce((total, { latest }) => total + latest, 0);
  return {
    name,
    policy: world.settings.policyName,
    panics: (parts.balancers[0]?.describe().priorities ?? []).flatMap(({ panic, priority }) => (panic ? priority : [])),
    hosts: rows.map(({ host: { address, health, locality }, priority, latest }) => {
      const share = sum === 0 ? undefined : latest / sum;
      return { address, priority, zone: locality.zone, health, share };
    }),
  };
}
