/** Headers by which a recorder tells requests and answers apart. */

/** Of an answer: the host that gave it. */
export const HOST_HEADER = 'x-host';
/** The number of a request. */
export const SEQUENCE_HEADER = 'x-seq';
/** Of an answer, also the proxy's own: the cluster that the request went to, and what became of it in a few letters. */
export const CLUSTER_HEADER = 'x-cluster';
export const FLAGS_HEADER = 'x-flags';

/** What a proxy adds to answers. */
export const ADDED_HEADERS = [
  [CLUSTER_HEADER, '%UPSTREAM_CLUSTER%'],
  [FLAGS_HEADER, '%RESPONSE_FLAGS%'],
].map(([key, value]) => ({ header: { key, value } }));
