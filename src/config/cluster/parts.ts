import { defaultOf } from '../../core/defaults.js';
import type { Messages } from '../api/generated/read-messages.js';
import { type DataSource, REDACTED } from '../core.js';
import { extensionPoint, proxyName } from '../extension.js';
import { KNOWN_NAMES } from '../generated/known-names.js';
import { message, type Report, valid, rule } from '../reader.js';
import type { Has, Rule } from '../reader/schema.js';
import { requestHeaderRemovals } from '../route/route.js';

// Exported rules of balancing are those of policies of v3, too.

export const fallbackKeys: Rule<Messages['Cluster.LbSubsetConfig.LbSubsetSelector']> = rule(
  'fallback-keys-subset',
  ['keys', 'fallback_policy', 'fallback_keys_subset'],
  ({ keys, fallbackPolicy, fallbackKeysSubset }, report, _, api) => {
    const at = ['fallback_keys_subset'];
    // A 1.40 ignores a selector without keys.
    if (keys.length === 0 && api === 'v3') return;
    if (fallbackPolicy !== 'KEYS_SUBSET') {
      if (fallbackKeysSubset.length > 0)
        report('fallback_keys_subset can be set only for KEYS_SUBSET fallback_policy', at);
      return;
    }
    const own = new Set(keys);
    const fewer = new Set(fallbackKeysSubset);
    const foreign = fallbackKeysSubset.find((key) => !own.has(key));
    if (fewer.size === 0) report('fallback_keys_subset cannot be empty', at);
    else if (foreign !== undefined)
      report(`fallback_keys_subset must be a subset of keys: ${foreign} is not among ${keys.join(', ')}`, at);
    else if (fewer.size === own.size) report('fallback_keys_subset cannot be equal to keys', at);
  },
);

message('Cluster.LbSubsetConfig.LbSubsetSelector', fallbackKeys);

export const choiceCount: Rule<Messages['Cluster.LeastRequestLbConfig']> = rule(
  'choice-count',
  ['choice_count', 'selection_method'],
  ({ choiceCount, selectionMethod }, report) => {
    if (choiceCount !== 0 || selectionMethod !== 'N_CHOICES') return;
    const text = 'choice_count: 0 draws no host: as long as all weights are equal, every request fails';
    report(text, ['choice_count'], 'warning');
  },
);

message('Cluster.LeastRequestLbConfig', choiceCount);

message(
  'core.HealthCheck.Payload',
  valid('hex', 'text', 'An even number of hexadecimal digits.', (text: string) =>
    /^(?:[\da-fA-F]{2})+$/.test(text)
      ? undefined
      : `invalid hex string '${text}': two digits of 0–9, a–f for each byte`,
  ),
);

/** Ranges are half-open. */
function checkRanges(
  kind: 'expected' | 'retriable',
  ranges: readonly Messages['type.Int64Range'][],
  report: Report,
): void {
  const prefix = `Invalid http ${kind} status range:`;
  for (const [index, { start, end }] of ranges.entries()) {
    const at = [`${kind}_statuses`, index];
    if (start >= end) report(`${prefix} expecting start < end, but found start=${start} and end=${end}`, at);
    else if (start < 100n) report(`${prefix} expecting start >= 100, but found start=${start}`, [...at, 'start']);
    if (end > 600n) report(`${prefix} expecting end <= 600, but found end=${end}`, [...at, 'end']);
  }
}

message(
  'core.HealthCheck.HttpHealthCheck',
  requestHeaderRemovals,
  rule(
    'expected-statuses',
    ['expected_statuses', 'retriable_statuses'],
    ({ expectedStatuses, retriableStatuses }, report) => {
      checkRanges('expected', expectedStatuses, report);
      checkRanges('retriable', retriableStatuses, report);
    },
  ),
);

message('core.HealthCheck.CustomHealthCheck', proxyName('health checker'));

export const HealthCheck = message('core.HealthCheck');

const DEFAULT_BASE_US = defaultOf('cluster.OutlierDetection', 'base_ejection_time');

/** cluster.OutlierDetection. Runtime keys `outlier_detection.*` override every value. */
export const OutlierDetection = message(
  'cluster.OutlierDetection',
  rule(
    'ejection-time-order',
    ['base_ejection_time', 'max_ejection_time'],
    ({ baseEjectionTime = DEFAULT_BASE_US, maxEjectionTime }, report) => {
      if (maxEjectionTime !== undefined && maxEjectionTime < baseEjectionTime)
        report('max_ejection_time must be greater than or equal to base_ejection_time', ['max_ejection_time']);
    },
  ),
);

message(
  'Cluster.RefreshRate',
  rule('refresh-rate-order', ['base_interval', 'max_interval'], ({ baseInterval, maxInterval }, report) => {
    if (maxInterval !== undefined && maxInterval < baseInterval)
      report('max_interval must be greater than or equal to the base_interval', ['max_interval']);
  }),
);

message(
  'cluster.CircuitBreakers',
  rule('circuit-breaker-priority', ['thresholds'], ({ thresholds }, report) => {
    for (const [index, { priority }] of thresholds.entries()) {
      if (thresholds.findIndex((other) => other.priority === priority) === index) continue;
      const text = `a second entry for priority ${priority}: the proxy takes the first and ignores this one`;
      report(text, ['thresholds', index], 'warning');
    }
  }),
  rule('per-host-thresholds', ['per_host_thresholds'], ({ perHostThresholds }, report) => {
    for (const [index, limits] of perHostThresholds.entries()) {
      const { maxPendingRequests, maxRequests, maxRetries, retryBudget } = limits;
      const others = [maxPendingRequests, maxRequests, maxRetries, retryBudget];
      if (others.every((value) => value === undefined)) continue;
      report('Unsupported field in per_host_thresholds', ['per_host_thresholds', index]);
    }
  }),
);

/** Other protocol options have no effect on the simulation. */
message(
  'core.Http2ProtocolOptions',
  rule('http2-settings', ['custom_settings_parameters'], ({ customSettingsParameters }, report, has) => {
    const values = new Map<number, number>();
    for (const [index, { identifier, value }] of customSettingsParameters.entries()) {
      const problem =
        (values.get(identifier) ?? value) === value
          ? settingProblem(identifier, value, has)
          : `inconsistent HTTP/2 custom SETTINGS parameter(s) detected: ${identifier} has another value already`;
      if (problem !== undefined) report(problem, ['custom_settings_parameters', index, 'identifier']);
      values.set(identifier, value);
    }
  }),
);

/** Fields of the parameters that have one. */
const NAMED: ReadonlyMap<number, string> = new Map([
  [1, 'hpack_table_size'],
  [3, 'max_concurrent_streams'],
  [4, 'initial_stream_window_size'],
]);

const ENABLE_PUSH = 2;
const ENABLE_CONNECT_PROTOCOL = 8;

function settingProblem(identifier: number, value: number, has: Has): string | undefined {
  if (identifier === ENABLE_PUSH && value === 1)
    return 'server push is not supported by the proxy and can not be enabled via a SETTINGS parameter';
  if (identifier === ENABLE_CONNECT_PROTOCOL)
    return 'the "allow_connect" SETTINGS parameter must only be configured through the named field';
  const field = NAMED.get(identifier);
  if (field === undefined || !has(field)) return undefined;
  return `the {${field}} HTTP/2 SETTINGS parameter(s) can not be configured through both named and custom parameters`;
}

const PEM_CERTIFICATE = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[\s\S]+?-----END /;

message(
  'auth.CertificateValidationContext',
  valid('certificate', 'trusted_ca', 'The certificates can be read.', ({ inlineString: text }: DataSource) =>
    text === undefined || text === REDACTED || PEM_CERTIFICATE.test(text)
      ? undefined
      : 'Failed to load trusted CA certificates from <inline>: not a PEM certificate',
  ),
);

extensionPoint('core.TransportSocket', 'transport socket', KNOWN_NAMES.transport_sockets);
