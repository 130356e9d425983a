import type { ClusterPrediction } from '../../predict/prediction.js';
import type { Exact, Row } from './paper.js';

/** Other sets of hosts of the same size: their addresses are another network. */
const SETS = 5;

const sharesOf = ({ hosts }: ClusterPrediction): readonly number[] => hosts.map(({ share }) => share);

/** The coefficient of variation of the hosts' shares. */
function deviation(prediction: ClusterPrediction): number {
  const shares = sharesOf(prediction);
  const mean = 1 / shares.length;
  return Math.sqrt(shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / shares.length) / mean;
}

/** The largest share, in even ones. */
const peak = (prediction: ClusterPrediction): number => Math.max(...sharesOf(prediction)) * prediction.hosts.length;

/** The difference between the largest and the smallest share, in percent of an even one. */
function spread(prediction: ClusterPrediction): number {
  const shares = sharesOf(prediction);
  return 100 * (Math.max(...shares) - Math.min(...shares)) * shares.length;
}

function exact(cluster: string, hosts: number, of: Exact['of']): Exact {
  const sets = Array.from({ length: SETS }, (_, set) => [
    `endpoints.${cluster}=[{address: 10.${set + 1}.0.1:80, count: ${hosts}}]`,
  ]);
  return { cluster, of, sets };
}

function ringRow(points: number, quantity: string, published: number, within: number, of: Exact['of']): Row {
  const entries = points * RING_HOSTS;
  return {
    row: `${points} points per host: ${quantity}`,
    changes: [
      `clusters.ring.ring_hash_lb_config={minimum_ring_size: ${entries}, maximum_ring_size: ${Math.max(entries, 8_388_608)}}`,
    ],
    values: [{ published, within, ...exact('ring', RING_HOSTS, of) }],
  };
}

const RING_HOSTS = 100;

export const ring: readonly Row[] = [
  ringRow(100, 'standard deviation', 0.1, 0.005, deviation),
  ringRow(1000, 'standard deviation', 0.032, 0.0005, deviation),
];

const TABLE = 65_537;

function maglevRow(hosts: number): Row {
  const [least, most] = [Math.floor(TABLE / hosts), Math.ceil(TABLE / hosts)];
  const published = (100 * (most - least) * hosts) / TABLE;
  return {
    row: `${hosts} hosts: most less least, percent`,
    changes: [],
    values: [{ published, within: 1e-6, ...exact('maglev', hosts, spread) }],
  };
}

/** "Approximately double", for one of some hundred or two. */
function disruptionRow(hosts: number): Row {
  return {
    row: `one of ${hosts} hosts lost: keys that move, in those that have to`,
    changes: [`endpoints.maglev=[{address: 10.1.0.1:80, count: ${hosts}}]`],
    values: [{ published: 2, within: 0.5, disrupted: 'maglev' }],
  };
}

/** Entries of the n-th of two hosts. */
const entriesOf =
  (host: number) =>
  (prediction: ClusterPrediction): number =>
    (sharesOf(prediction)[host] ?? 0) * TABLE;

export const maglev: readonly Row[] = [
  ...[10, 100, 655].map(maglevRow),
  {
    row: '1000 hosts: peak over mean',
    changes: [],
    values: [{ published: 1, within: 0.01, ...exact('maglev', 1000, peak) }],
  },
  {
    row: 'weights 1 and 2: entries',
    changes: ['endpoints.maglev=[{address: 10.1.0.1:80, weight: 1}, {address: 10.1.0.2:80, weight: 2}]'],
    values: [21_846, 43_691].map((published, host) => ({
      published,
      within: 0,
      cluster: 'maglev',
      of: entriesOf(host),
    })),
  },
  ...[100, 200].map(disruptionRow),
];
