import { Cluster } from '../config/cluster.js';
import { check, SourceDocument } from '../config/reader.js';
import { nodeOf } from '../config/source/trees.js';

/** A cluster of which nothing but the name is known: STATIC, without hosts. undefined: no cluster can have this name. */
export function namedCluster(name: string): Cluster | undefined {
  const root = nodeOf({ name, type: 'STATIC', connect_timeout: '1s' }, { start: 0, end: 0 });
  return check(Cluster, new SourceDocument([{ file: '', text: '', json: true }], root), { vocabulary: 'proxy' }).value;
}
