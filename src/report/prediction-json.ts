import type { HostColumns, HostPlace } from '../predict/host-columns.js';
import { columnsOf } from '../predict/host-columns.js';
import type { ClusterPrediction, PredictedSplit, Prediction } from '../predict/prediction.js';

/** Characters that are handed on together. */
const PIECE = 1 << 18;

/**
 * A prediction as one JSON document, a line per phase: a large cluster over many phases is a million rows, too many for one
 * string, and for an object each.
 */
export function* predictionJson(prediction: Prediction): Generator<string> {
  const { clusters, proxies, notes, ...head } = prediction;
  const rows = new RowTexts();
  yield `${JSON.stringify(head).slice(0, -1)},"clusters":{`;
  yield* clusterPieces(clusters, rows);
  yield '},"proxies":{';
  for (const [index, [name, proxy]] of Object.entries(proxies).entries()) {
    yield `${index === 0 ? '' : ','}\n${JSON.stringify(name)}:{"clusters":{`;
    yield* clusterPieces(proxy.clusters, rows);
    yield '}}';
  }
  yield `},"notes":${JSON.stringify(notes)}}\n`;
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

/** The fields of a split without its brackets; those of a cluster but its phases. */
function* splitPieces(split: PredictedSplit, rows: RowTexts): Generator<string> {
  const keys = (Object.keys(split) as (keyof PredictedSplit | 'phases')[]).filter((key) => key !== 'phases');
  for (const [index, key] of keys.entries()) {
    yield `${index === 0 ? '' : ','}"${key}":`;
    if (key !== 'hosts') yield JSON.stringify(split[key]);
    else yield* rows.of(columnsOf(split));
  }
}

/** The rows of hosts. What they share with rows that were written before is not made again. */
class RowTexts {
  private readonly places = new WeakMap<HostPlace, string>();

  *of(columns: HostColumns): Generator<string> {
    const { places, share, variance, granularity, weight } = columns;
    let text = '[';
    let last = -1;
    let tail = '';
    for (let row = 0; row < places.length; row++) {
      const same =
        last >= 0 &&
        share[row] === share[last] &&
        variance[row] === variance[last] &&
        granularity[row] === granularity[last] &&
        weight[row] === weight[last] &&
        columns.health(row) === columns.health(last);
      if (!same) {
        tail =
          `"weight":${weight[row] as number},"health":"${columns.health(row)}","share":${share[row] as number},` +
          `"variance":${variance[row] as number},"granularity":${granularity[row] as number}}`;
        last = row;
      }
      text += (row === 0 ? '' : ',') + this.placeText(places[row] as HostPlace) + tail;
      if (text.length < PIECE) continue;
      yield text;
      text = '';
    }
    yield `${text}]`;
  }

  private placeText(place: HostPlace): string {
    let text = this.places.get(place);
    if (text === undefined) {
      const { address, priority, locality } = place;
      text = `${JSON.stringify({ address, priority, locality }).slice(0, -1)},`;
      this.places.set(place, text);
    }
    return text;
  }
}
