import { didYouMean, type Path } from '../config/reader.js';
import type { References } from './lookup.js';

export function checkExpectations(refs: References): void {
  for (const [index, expectation] of refs.parts.expect.entries()) {
    if (expectation === undefined) continue;
    const path = ['expect', index];
    const { subject, during } = expectation;
    if (during !== undefined) refs.notAfterEnd(during[0], [...path, 'during', 0], 'there is nothing to measure');
    switch (subject.kind) {
      case 'share':
        if (refs.clusterKnown(subject.cluster, [...path, 'share', 'cluster'])) {
          refs.checkSelector({ cluster: subject.cluster, ...subject.hosts }, [...path, 'share', 'hosts']);
        }
        break;
      case 'no_host':
      case 'success_rate':
      case 'latency':
        refs.clusterKnown(subject.cluster, [...path, subject.kind, 'cluster']);
        break;
      case 'stat':
        checkStat(refs, subject.name, [...path, 'stat']);
        break;
      case 'decision':
        break;
    }
  }
}

/** `cluster.NAME.…`; names may have dots, and stand in statistics with `:` as `_`. */
function checkStat(refs: References, name: string, path: Path): void {
  const scope = 'cluster.';
  if (!name.startsWith(scope)) return;
  const alternatives = [...refs.byName.values()].map((cluster) => cluster.altStatName);
  const names = [...refs.parts.clusterNames, ...alternatives].filter((one) => one !== '');
  if (names.some((one) => name.startsWith(`${scope}${one.replaceAll(':', '_')}.`))) return;
  const wanted = name.slice(scope.length).split('.')[0] ?? '';
  const near = didYouMean(wanted, names);
  // A cluster that could not be read may have this name in statistics.
  if (!refs.parts.clustersNamed || (near === '' && refs.parts.clusters.includes(undefined))) return;
  const text = `no cluster counts as "${wanted}"${near}`;
  refs.report('error', path, 'unknown-cluster', text);
}
