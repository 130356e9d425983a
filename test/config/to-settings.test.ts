import { describe, expect, it } from 'vitest';
import { Cluster } from '../../src/config/cluster/cluster.js';
import { clusterSettings, messageOf } from '../../src/config/to-settings.js';
import type { ClusterSettings } from '../../src/settings/cluster-settings.js';
import { read } from './reader/support.js';
import { staticCluster } from './samples.js';

function settingsOf(more = ''): ClusterSettings {
  const { value, problems } = read(Cluster, `${staticCluster()}\n${more}`);
  if (value === undefined) throw new Error(problems[0]?.message);
  const settings = clusterSettings(value, ['1.12', '1.40']);
  expect(messageOf(settings)).toBe(value);
  return settings;
}

describe('what is read as settings', () => {
  it('has every number, and knows which limits are stated', () => {
    expect(settingsOf()).toMatchObject({
      name: 'a',
      statName: 'a',
      kind: 'STATIC',
      members: [],
      initialFetchTimeoutUs: 15_000_000,
      updateMergeWindowUs: 1_000_000,
      connections: { connectTimeoutUs: 1_000_000, http2: false, maxRequestsPerConnection: Infinity },
      breakers: { DEFAULT: { maxConnections: 1024, maxRetries: 3, hasRetryBudget: false, stated: [] } },
      outlierDetection: undefined,
    });
    const { DEFAULT, HIGH } = settingsOf('circuit_breakers: { thresholds: [{ max_retries: 5 }] }').breakers;
    expect(DEFAULT).toMatchObject({ maxRetries: 5, maxRequests: 1024, stated: ['max_retries'] });
    expect(HIGH).toMatchObject({ maxRetries: 3, stated: [] });
  });

  it('has the policy as each version of the proxies reads it', () => {
    const { policies } = settingsOf(
      'lb_policy: LEAST_REQUEST\nleast_request_lb_config: { active_request_bias: { default_value: 2, runtime_key: b } }',
    );
    expect(Object.keys(policies)).toEqual(['1.12', '1.40']);
    expect(policies['1.12']).toMatchObject({ leastRequest: { activeRequestBias: { defaultValue: 1 } } });
    expect(policies['1.40']).toMatchObject({ leastRequest: { activeRequestBias: { defaultValue: 2 } } });
  });

  it('waits after failed queries up to ten times the base, where no longest wait is given', () => {
    expect(settingsOf('dns_failure_refresh_rate: { base_interval: 2s }').dns.failure).toEqual({
      baseIntervalUs: 2_000_000,
      maxIntervalUs: 20_000_000,
    });
  });

  it('has no longest ejection that is shorter than the first', () => {
    const { outlierDetection } = settingsOf('outlier_detection: { base_ejection_time: 600s }');
    expect(outlierDetection?.numbers).toMatchObject({ base_ejection_time: 600_000, max_ejection_time: 600_000 });
  });
});
