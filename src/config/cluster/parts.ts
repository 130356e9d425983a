import { defaultOf } from '../../core/defaults.js';
import { fill } from '../../core/fill.js';
import { repeats } from '../../core/values.js';
import type { Messages } from '../api/generated/read-messages.js';
import { type DataSource, REDACTED } from '../core.js';
import { extensionPoint, proxyName } from '../extension.js';
import { KNOWN_NAMES } from '../generated/known-names.js';
import { REFUSALS } from '../generated/refusals.js';
import { OWN_NAMES } from '../generated/own-names.js';
import { message, valid, rule, type Rule } from '../reader.js';
import { requestHeaderRemovals } from '../route/route.js';

const SAYS = REFUSALS.parts;

// Exported rules of balancing are those of policies of v3, too.

export const fallbackKeys: Rule<Messages['Cluster.LbSubsetConfig.LbSubsetSelector']> = rule(
  'fallback-keys-subset',
  ['keys', 'fallback_policy', 'fallback_keys_subset'],
  ({ keys, fallbackPolicy, fallbackKeysSubset }, report, _, api) => {
    const at = ['fallback_keys_subset'];
    // A 1.40 ignores a selector without keys.
    if (keys.length === 0 && api === 'v3') return;
    if (fallbackPolicy !== 'KEYS_SUBSET') {
      if (fallbackKeysSubset.length > 0) report(SAYS.keys_subset_only, at);
      return;
    }
    const own = new Set(keys);
    const fewer = new Set(fallbackKeysSubset);
    const key = fallbackKeysSubset.find((one) => !own.has(one));
    const wrong = fewer.size === 0 ? 'empty' : key !== undefined ? 'foreign' : fewer.size === own.size && 'equal';
    if (wrong !== false) report(fill(SAYS.keys_subset, { wrong, key, keys }), at);
  },
);

message('Cluster.LbSubsetConfig.LbSubsetSelector', fallbackKeys);

export const choiceCount: Rule<Messages['Cluster.LeastRequestLbConfig']> = rule(
  'choice-count',
  ['choice_count', 'selection_method'],
  ({ choiceCount, selectionMethod }, report) => {
    if (choiceCount === 0 && selectionMethod === 'N_CHOICES') report(SAYS.no_choice, ['choice_count'], 'warning');
  },
);

message('Cluster.LeastRequestLbConfig', choiceCount);

message(
  'core.HealthCheck.Payload',
  valid('hex', 'text', 'An even number of hexadecimal digits.', (text: string) =>
    /^(?:[\da-fA-F]{2})+$/.test(text) ? undefined : fill(SAYS.hex, { text }),
  ),
);

message(
  'core.HealthCheck.HttpHealthCheck',
  requestHeaderRemovals,
  rule('expected-statuses', ['expected_statuses', 'retriable_statuses'], (check, report) => {
    const lists = { expected: check.expectedStatuses, retriable: check.retriableStatuses };
    for (const [kind, ranges] of Object.entries(lists)) {
      // They are half-open.
      for (const [index, { start, end }] of ranges.entries()) {
        const refuse = (wrong: 'order' | 'start' | 'end', ...at: readonly string[]): void =>
          report(fill(SAYS.range, { wrong, kind, start, end }), [`${kind}_statuses`, index, ...at]);
        if (start >= end) refuse('order');
        else if (start < 100n) refuse('start', 'start');
        if (end > 600n) refuse('end', 'end');
      }
    }
  }),
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
        report(SAYS.ejection_times, ['max_ejection_time']);
    },
  ),
);

message(
  'Cluster.RefreshRate',
  rule('refresh-rate-order', ['base_interval', 'max_interval'], ({ baseInterval, maxInterval }, report) => {
    if (maxInterval !== undefined && maxInterval < baseInterval) report(SAYS.refresh_rates, ['max_interval']);
  }),
);

message(
  'cluster.CircuitBreakers',
  rule('circuit-breaker-priority', ['thresholds'], ({ thresholds }, report) => {
    for (const [index, { priority }] of repeats(thresholds, (one) => one.priority))
      report(fill(SAYS.second_entry, { priority }), ['thresholds', index], 'warning');
  }),
  rule('per-host-thresholds', ['per_host_thresholds'], ({ perHostThresholds }, report) => {
    for (const [index, limits] of perHostThresholds.entries()) {
      const { maxPendingRequests, maxRequests, maxRetries, retryBudget } = limits;
      const others = [maxPendingRequests, maxRequests, maxRetries, retryBudget];
      if (others.some((value) => value !== undefined)) report(SAYS.per_host, ['per_host_thresholds', index]);
    }
  }),
);

/** Other protocol options have no effect on the simulation. */
message(
  'core.Http2ProtocolOptions',
  rule('http2-settings', ['custom_settings_parameters'], ({ customSettingsParameters }, report, has) => {
    const values = new Map<number, number>();
    for (const [index, { identifier, value }] of customSettingsParameters.entries()) {
      const field = NAMED[identifier] ?? '';
      const mistakes = {
        twice: (values.get(identifier) ?? value) !== value,
        push: identifier === ENABLE_PUSH && value === 1,
        connect: identifier === ENABLE_CONNECT_PROTOCOL,
        named: field !== '' && has(field),
      };
      const [wrong] = Object.entries(mistakes).find(([, is]) => is) ?? [];
      const at = ['custom_settings_parameters', index, 'identifier'];
      if (wrong !== undefined) report(fill(SAYS.setting, { wrong, identifier, field }), at);
      values.set(identifier, value);
    }
  }),
);

/** Fields of the parameters that have one. */
const NAMED: Readonly<Record<number, string>> = OWN_NAMES.http2_parameters;

const ENABLE_PUSH = 2;
const ENABLE_CONNECT_PROTOCOL = 8;

const PEM_CERTIFICATE = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[\s\S]+?-----END /;

message(
  'auth.CertificateValidationContext',
  valid('certificate', 'trusted_ca', 'The certificates can be read.', ({ inlineString: text }: DataSource) =>
    text === undefined || text === REDACTED || PEM_CERTIFICATE.test(text) ? undefined : SAYS.ca,
  ),
);

extensionPoint('core.TransportSocket', 'transport socket', KNOWN_NAMES.transport_sockets);
