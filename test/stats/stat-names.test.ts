import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CLUSTER_STATS, clusterStat, MANAGER_STATS } from '../../src/stats/store.js';
import { run } from '../support/run.js';

/** Rows of the page of statistics, which is held to what runs produce. */
const page = readFileSync(new URL('../../docs/stats.md', import.meta.url), 'utf8');
const rows = [...page.matchAll(/^\| `([^`]+)` +\| (counter|gauge|histogram) +\|/gm)].map(
  ([, name = '', kind = '']) => ({ name, kind: kind === 'histogram' ? kind : 'number' }),
);
const PREFIX = 'cluster.<name>.';

describe('the statistics that an expectation may name', () => {
  it('are those of a cluster on the page', () => {
    const known = CLUSTER_STATS.map(({ name, kind }) => `${PREFIX}${name} ${kind}`);
    const documented = rows.filter(({ name }) => name.startsWith(PREFIX)).map(({ name, kind }) => `${name} ${kind}`);
    expect(known.sort()).toEqual(documented.sort());
  });

  it('and those of the cluster manager', () => {
    const documented = rows.map(({ name }) => name).filter((name) => name.startsWith('cluster_manager.'));
    expect([...MANAGER_STATS].sort()).toEqual(documented.sort());
  });

  it.each([
    ['upstream_rq_503', 'upstream_rq_<status>'],
    ['upstream_rq_5xx', 'upstream_rq_<family>xx'],
    ['zone.a.b.c.upstream_rq_200', 'zone.<from>.<to>.upstream_rq_<status>'],
    ['circuit_breakers.high.rq_open', 'circuit_breakers.<priority>.rq_open'],
    ['blue.total_match_count', '<match>.total_match_count'],
    ['upstream_rq_50', undefined],
    ['circuit_breakers.medium.rq_open', undefined],
    ['xupstream_rq_total', undefined],
    ['', undefined],
  ])('%s is %s', (name, pattern) => {
    expect(clusterStat(name)?.name).toBe(pattern);
  });
});

describe('an expectation on a statistic', () => {
  const scenario = {
    clusters: [{ name: 'a', alt_stat_name: 'other:name' }, { name: 'a.b' }],
    endpoints: { a: ['10.0.0.1:80'], 'a.b': ['10.0.0.2:80'] },
    workloads: [{ cluster: 'a', arrivals: { constant: '10/s' }, stop: '1s' }],
  };
  const verdicts = async (names: readonly string[], more: object = {}): Promise<readonly unknown[]> => {
    const expectations = names.map((stat) => ({ stat, at_most: 0 }));
    const { expect: results } = await run({ ...scenario, ...more, expect: expectations });
    return results.map(({ passed, actual }) => [passed, actual]);
  };

  it('takes what has not moved yet for 0, as the counter of a status', async () => {
    const names = [
      'cluster.other_name.upstream_rq_503',
      'cluster.a.b.upstream_rq_2xx',
      'cluster.other_name.upstream_rq_2xx',
    ];
    expect(await verdicts(names)).toEqual([
      [true, 0],
      [true, 0],
      [false, 10],
    ]);
  });

  it('finds nothing to measure where the statistic is not kept', async () => {
    const stats_config = { stats_matcher: { reject_all: true } };
    expect(await verdicts(['cluster.other_name.upstream_rq_503'], { proxy: { stats_config } })).toEqual([
      [false, null],
    ]);
  });

  it('is refused under a name by which the cluster does not count', async () => {
    await expect(verdicts(['cluster.a.upstream_rq_total'])).rejects.toThrow('expect[0].stat: no cluster counts as "a"');
  });
});
