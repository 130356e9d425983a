import { message, optional, plain, type Output } from '../reader.js';
import { bool, boolValue, duration, uint32Value } from '../reader/proto.js';

/** cluster.OutlierDetection. Runtime keys `outlier_detection.*` override every value. */
export const OutlierDetection = message(
  'cluster.OutlierDetection',
  () => ({
    consecutive_5xx: optional(uint32Value()),
    interval: optional(duration()),
    base_ejection_time: optional(duration()),
    max_ejection_percent: optional(uint32Value()),
    enforcing_consecutive_5xx: optional(uint32Value()),
    enforcing_success_rate: optional(uint32Value()),
    success_rate_minimum_hosts: optional(uint32Value()),
    success_rate_request_volume: optional(uint32Value()),
    success_rate_stdev_factor: optional(uint32Value()),
    consecutive_gateway_failure: optional(uint32Value()),
    enforcing_consecutive_gateway_failure: optional(uint32Value()),
    split_external_local_origin_errors: plain(bool()),
    consecutive_local_origin_failure: optional(uint32Value()),
    enforcing_consecutive_local_origin_failure: optional(uint32Value()),
    enforcing_local_origin_success_rate: optional(uint32Value()),
    failure_percentage_threshold: optional(uint32Value()),
    enforcing_failure_percentage: optional(uint32Value()),
    enforcing_failure_percentage_local_origin: optional(uint32Value()),
    failure_percentage_minimum_hosts: optional(uint32Value()),
    failure_percentage_request_volume: optional(uint32Value()),
    max_ejection_time: optional(duration()),
    max_ejection_time_jitter: optional(duration()),
    successful_active_health_check_uneject_host: optional(boolValue()),
    always_eject_one_host: optional(boolValue()),
  }),
  {
    name: 'ejection-time-order',
    doc: 'max_ejection_time is at least base_ejection_time.',
    reads: ['base_ejection_time', 'max_ejection_time'],
    check: ({ baseEjectionTime = 30_000_000, maxEjectionTime }, report) => {
      if (maxEjectionTime !== undefined && maxEjectionTime < baseEjectionTime) {
        report('max_ejection_time must be greater than or equal to base_ejection_time', ['max_ejection_time']);
      }
    },
  },
);
export type OutlierDetection = Output<typeof OutlierDetection>;
