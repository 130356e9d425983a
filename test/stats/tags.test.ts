import { describe, expect, it } from 'vitest';
import type { Messages } from '../../src/config/api/generated/read-messages.js';
import type { StatsConfig } from '../../src/config/metrics.js';
import { tagExtractor } from '../../src/stats/tags.js';

type TagSpecifier = Messages['config.metrics.v2.TagSpecifier'];

function tag(tagName: string, regex: string): TagSpecifier {
  return { tagName, regex, fixedValue: undefined };
}

function config(statsTags: readonly TagSpecifier[], useAllDefaultTags?: boolean): StatsConfig {
  return { statsTags: [...statsTags], useAllDefaultTags, statsMatcher: undefined };
}

/** `name|#tag:value,…`, as a line of the tagged sink would show it. */
function shown(of: StatsConfig | undefined, name: string, version: '1.17' | '1.40' = '1.40'): string {
  const tagged = tagExtractor(of, version)(name);
  return `${tagged.name}|#${tagged.tags.map((each) => `${each.name}:${each.value}`).join(',')}`;
}

describe('default tags', () => {
  it.each([
    ['cluster.up.upstream_rq_total', 'cluster.upstream_rq_total|#proxy.cluster_name:up'],
    ['cluster.up.upstream_rq_503', 'cluster.upstream_rq|#proxy.response_code:503,proxy.cluster_name:up'],
    ['cluster.up.upstream_rq_2xx', 'cluster.upstream_rq_xx|#proxy.response_code_class:2,proxy.cluster_name:up'],
    ['cluster.dot.ted.upstream_rq_total', 'cluster.ted.upstream_rq_total|#proxy.cluster_name:dot'],
    ['cluster.up.alt_name.membership_change', 'cluster.alt_name.membership_change|#proxy.cluster_name:up'],
    [
      'cluster.up.zone.z1.z2.upstream_rq_200',
      'cluster.zone.z1.z2.upstream_rq|#proxy.response_code:200,proxy.cluster_name:up',
    ],
    ['server.live', 'server.live|#'],
  ])('%s', (name, line) => {
    expect(shown(undefined, name)).toBe(line);
    expect(shown(undefined, name, '1.17')).toBe(line);
  });

  it('are off without use_all_default_tags, but for those asked for by name', () => {
    const one = { tagName: 'proxy.response_code', regex: undefined, fixedValue: undefined };
    expect(shown(config([], false), 'cluster.up.upstream_rq_503')).toBe('cluster.up.upstream_rq_503|#');
    expect(shown(config([one], false), 'cluster.up.upstream_rq_503')).toBe(
      'cluster.up.upstream_rq|#proxy.response_code:503',
    );
  });
});

describe('tag specifiers', () => {
  const overlapping = config(
    [tag('first', '^(cluster\\.)'), tag('second', '(cluster)'), tag('third', '(up\\.)')],
    false,
  );

  it('each look at the whole name as of 1.40', () => {
    expect(shown(overlapping, 'cluster.up.upstream_rq_200')).toBe(
      'upstream_rq_200|#first:cluster,second:cluster,third:up',
    );
  });

  it('look at what is left before that', () => {
    expect(shown(overlapping, 'cluster.up.upstream_rq_200', '1.17')).toBe('upstream_rq_200|#first:cluster,third:up');
  });

  it.each([
    ['(u)(p)(s)', 'cluster.pstream_x|#t:p', 'cluster.upstream_x'],
    ['(ups)tr(eam)', 'cluster.tream_x|#t:eam', 'cluster.upstream_x'],
    ['(up\\.)', 'cluster.x|#t:up', 'cluster.up.x'],
    ['upstream', 'cluster.upstream_x|#', 'cluster.upstream_x'],
    ['upstream_rq_(time)?', 'cluster.upstream_rq_total|#t:', 'cluster.upstream_rq_total'],
  ])('%s', (regex, line, name) => {
    expect(shown(config([tag('t', regex)], false), name)).toBe(line);
  });

  it('of one name: the first that gives the tag wins, the other does not cut', () => {
    const twice = config([tag('t', '(nowhere)'), tag('t', '(up)'), tag('t', '(cluster)')], false);
    expect(shown(twice, 'cluster.up.x')).toBe('cluster..x|#t:up');
  });

  it('of one name, as of 1.40: an expression that begins with ^word\\. comes after the others, wherever it stands', () => {
    const anchored = tag('t', '^cluster\\.((u)p)');
    expect(shown(config([anchored, tag('t', '(member)')], false), 'cluster.up.membership_total')).toBe(
      'cluster.up.ship_total|#t:member',
    );
    expect(shown(config([anchored, tag('t', '(nowhere)')], false), 'cluster.up.x')).toBe('cluster..x|#t:u');
    // The default one begins so, and comes before custom ones that do as well.
    expect(shown(config([tag('proxy.cluster_name', '^cluster\\.(u)p')]), 'cluster.up.x')).toBe(
      'cluster.x|#proxy.cluster_name:up',
    );
    expect(shown(config([tag('proxy.cluster_name', '(mem)(b)er')]), 'cluster.up.membership_total')).toBe(
      'cluster.up.bership_total|#proxy.cluster_name:b',
    );
  });

  it('that begin with ^word\\. are not asked about other names, whatever follows', () => {
    const either = config([tag('t', '^cluster\\.(up)|(live)')], false);
    expect(shown(either, 'server.live')).toBe('server.live|#');
    expect(shown(either, 'server.live', '1.17')).toBe('server.live|#t:live');
  });

  it('with a fixed value are on every statistic, between the free and the anchored', () => {
    const fixed = config([
      { tagName: 'fixed', regex: undefined, fixedValue: 'fx:1' },
      tag('env', '^cluster\\.((\\w+)\\.)'),
    ]);
    expect(shown(fixed, 'cluster.up.upstream_rq_503')).toBe(
      'cluster.upstream_rq|#proxy.response_code:503,fixed:fx:1,proxy.cluster_name:up,env:up',
    );
    expect(shown(fixed, 'server.live')).toBe('server.live|#fixed:fx:1');
  });
});
