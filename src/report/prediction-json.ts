import { entryOf } from '../core/lists.js';
import { FORMAT } from '../core/document-format.js';
import { printableJson } from '../core/printable.js';
import { columnsOf, type HostColumns, type HostIdentity } from '../predict/host-columns.js';
import type { PredictedHost, PredictedSplit } from '../predict/prediction.js';
import type { ClusterPrediction, PredictedExpectation, Prediction } from '../words/results.js';

/** Rows written together: as text, they are small enough to be collected cheaply. */
const PIECE = 500;

/** A line per phase: many hosts over many phases are a million rows, too many for one string and for an object each. */
export function* predictionJson(
  prediction: Prediction,
  expect: readonly PredictedExpectation[] = [],
): Generator<string> {
  for (const piece of piecesOf(prediction, expect)) yield printableJson(piece);
}

function* piecesOf(prediction: Prediction, expect: readonly PredictedExpectation[]): Generator<string> {
  const { clusters, proxies, notes, ...head } = prediction;
  const rows = new RowTexts();
  yield `${JSON.stringify({ format: FORMAT, ...head }).slice(0, -1)},"clusters":{`;
  yield* clusterPieces(clusters, rows);
  yield '},"proxies":{';
  for (const [index, [name, proxy]] of Object.entries(proxies).entries()) {
    yield `${index === 0 ? '' : ','}\n${JSON.stringify(name)}:{"clusters":{`;
    yield* clusterPieces(proxy.clusters, rows);
    yield '}}';
  }
  yield `},\n"expect":${JSON.stringify(expect)},"notes":${JSON.stringify(notes)}}\n`;
}

function* clusterPieces(clusters: Readonly<Record<string, ClusterPrediction>>, rows: RowTexts): Generator<string> {
  for (const [index, [name, cluster]] of Object.entries(clusters).entries()) {
    yield `${index === 0 ? '' : ','}\n${JSON.stringify(name)}:{`;
    yield* splitPieces(cluster, rows);
    yield ',"phases":[';
    for (const [at, phase] of cluster.phases.entries()) {
      yield `${at === 0 ? '' : ','}\n{`;
      yield* splitPieces(phase, rows);
      yield '}';
    }
    yield ']}';
  }
}

/** The fields of a split without its brackets; those of a cluster except its phases. */
function* splitPieces(split: PredictedSplit, rows: RowTexts): Generator<string> {
  const keys = (Object.keys(split) as (keyof PredictedSplit | 'phases')[]).filter((key) => key !== 'phases');
  for (const [index, key] of keys.entries()) {
    yield `${index === 0 ? '' : ','}"${key}":`;
    if (key !== 'hosts') yield JSON.stringify(split[key]);
    else yield* rows.of(columnsOf(split));
  }
}

/** The rows of hosts. Most of them equal those of the split before, and are reused. */
class RowTexts {
  private readonly heads = new Map<HostIdentity, string>();
  private last: Rows = { identities: [], values: [], texts: [] };

  *of(columns: HostColumns): Generator<string> {
    const texts = this.textsOf(columns);
    for (let from = 0; from < texts.length; from += PIECE) {
      yield (from === 0 ? '[' : ',') + texts.slice(from, from + PIECE).join(',');
    }
    yield texts.length === 0 ? '[]' : ']';
  }

  private textsOf({ identities, share, weight, ...of }: HostColumns): readonly string[] {
    const { last } = this;
    const same = last.identities === identities;
    const values = new Array<RowValues>(identities.length);
    const texts = new Array<string>(identities.length);
    let tail: { readonly values: RowValues; readonly text: string } | undefined;
    for (let row = 0; row < identities.length; row++) {
      const own = {
        weight: weight[row] as number,
        health: of.health(row),
        share: share[row] as number,
        variance: of.variance(row),
        granularity: of.granularity(row),
      };
      const before = same ? last.values[row] : undefined;
      if (before !== undefined && alike(before, own)) {
        values[row] = before;
        texts[row] = last.texts[row] as string;
        continue;
      }
      // Neighbours are mostly equal.
      if (tail === undefined || !alike(tail.values, own)) tail = { values: own, text: JSON.stringify(own).slice(1) };
      values[row] = tail.values;
      texts[row] = this.headOf(identities[row] as HostIdentity) + tail.text;
    }
    this.last = { identities, values, texts };
    return texts;
  }

  private headOf(place: HostIdentity): string {
    const { address, priority, locality } = place;
    return entryOf(this.heads, place, () => `${JSON.stringify({ address, priority, locality }).slice(0, -1)},`);
  }
}

interface Rows {
  readonly identities: HostColumns['identities'];
  readonly values: readonly RowValues[];
  readonly texts: readonly string[];
}

/** The values of a host in a split, in the order of output. */
type RowValues = Omit<PredictedHost, keyof HostIdentity>;

function alike(a: RowValues, b: RowValues): boolean {
  return (
    a.share === b.share &&
    a.weight === b.weight &&
    a.health === b.health &&
    a.variance === b.variance &&
    a.granularity === b.granularity
  );
}
