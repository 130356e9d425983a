import { entryOf } from '../core/values.js';
import { FORMAT } from '../core/document-format.js';
import { printableJson } from '../core/printable.js';
import { columnsOf, type HostColumns, type HostIdentity } from '../predict/host-columns.js';
import type { PredictedHost, PredictedSplit } from '../predict/generated/prediction.js';
import type { ClusterPrediction, PredictedExpectation, Prediction } from '../words/results.js';

/** Rows written together: as text, they are small enough to be collected cheaply. */
const PIECE = 500;

type Judged = readonly PredictedExpectation[];

/** A line per phase: many hosts over many phases are a million rows, too many for one string and for an object each. */
export function* predictionJson(prediction: Prediction, expect: Judged = []): Generator<string> {
  for (const piece of piecesOf(prediction, expect)) yield printableJson(piece);
}

function* piecesOf({ clusters, proxies, notes, ...head }: Prediction, expect: Judged): Generator<string> {
  const heads: Heads = new Map();
  yield `${JSON.stringify({ format: FORMAT, ...head }).slice(0, -1)},"clusters":{`;
  yield* clusterPieces(clusters, heads);
  yield '},"proxies":{';
  for (const [index, [name, proxy]] of Object.entries(proxies).entries()) {
    yield `${index === 0 ? '' : ','}\n${JSON.stringify(name)}:{"clusters":{`;
    yield* clusterPieces(proxy.clusters, heads);
    yield '}}';
  }
  yield `},\n"expect":${JSON.stringify(expect)},"notes":${JSON.stringify(notes)}}\n`;
}

function* clusterPieces(clusters: Readonly<Record<string, ClusterPrediction>>, heads: Heads): Generator<string> {
  for (const [index, [name, cluster]] of Object.entries(clusters).entries()) {
    yield `${index === 0 ? '' : ','}\n${JSON.stringify(name)}:{`;
    yield* splitPieces(cluster, heads);
    yield ',"phases":[';
    for (const [at, phase] of cluster.phases.entries()) {
      yield `${at === 0 ? '' : ','}\n{`;
      yield* splitPieces(phase, heads);
      yield '}';
    }
    yield ']}';
  }
}

/** The fields of a split without its brackets; those of a cluster except its phases. */
function* splitPieces(split: PredictedSplit, heads: Heads): Generator<string> {
  const keys = (Object.keys(split) as (keyof PredictedSplit | 'phases')[]).filter((key) => key !== 'phases');
  for (const [index, key] of keys.entries()) {
    yield `${index === 0 ? '' : ','}"${key}":`;
    if (key !== 'hosts') yield JSON.stringify(split[key]);
    else yield* rowPieces(columnsOf(split), heads);
  }
}

/** By place of a host, how its rows begin: the same places stand in all splits of a cluster. */
type Heads = Map<HostIdentity, string>;

/** The rows of hosts. The values of neighbours are mostly equal. */
function* rowPieces({ identities, at }: HostColumns, heads: Heads): Generator<string> {
  let last: RowValues | undefined;
  let tail = '';
  let texts: string[] = [];
  for (const [row, place] of identities.entries()) {
    const { address: _, priority: __, locality: ___, ...own } = at(row);
    if (last === undefined || !alike(last, own)) tail = JSON.stringify(own).slice(1);
    last = own;
    texts.push(entryOf(heads, place, () => headOf(place)) + tail);
    if (texts.length < PIECE && row + 1 < identities.length) continue;
    yield (row < PIECE ? '[' : ',') + texts.join(',');
    texts = [];
  }
  yield identities.length === 0 ? '[]' : ']';
}

const headOf = ({ address, priority, locality }: HostIdentity): string =>
  `${JSON.stringify({ address, priority, locality }).slice(0, -1)},`;

/** The values of a host in a split, in the order of output. */
type RowValues = Omit<PredictedHost, keyof HostIdentity>;

const alike = (a: RowValues, b: RowValues): boolean =>
  (Object.keys(a) as (keyof RowValues)[]).every((name) => a[name] === b[name]);
