import type { Output } from './reader.js';
import { message, optional, plain } from './reader.js';
import { bool, boolValue, duration, uint32Value } from './reader/proto.js';

const percent = (): ReturnType<typeof uint32Value> => uint32Value({ max: 100 });

/** cluster.OutlierDetection. Runtime keys `outlier_detection.*` override every value. */
export const OutlierDetection = message(
  'cluster.OutlierDetection',
  () => ({
    consecutive_5xx: optional(uint32Value(), 'Consecutive 5xx answers before a host is ejected. Default 5.'),
    interval: optional(duration({ aboveNanos: 0 }), 'Time between sweeps. Default 10 s.'),
    base_ejection_time: optional(
      duration({ aboveNanos: 0 }),
      'Ejection lasts this long times the number of ejections so far. Default 30 s.',
    ),
    max_ejection_percent: optional(percent(), 'Percentage of hosts that may be ejected. Default 10 %.'),
    enforcing_consecutive_5xx: optional(percent(), 'Chance that a detection ejects. Default 100.'),
    enforcing_success_rate: optional(percent(), 'Chance that a success-rate detection ejects. Default 100.'),
    success_rate_minimum_hosts: optional(uint32Value(), 'Hosts with enough requests needed. Default 5.'),
    success_rate_request_volume: optional(uint32Value(), 'Requests in an interval needed of a host. Default 100.'),
    success_rate_stdev_factor: optional(
      uint32Value(),
      'Thousandths of a standard deviation below the mean at which a host is an outlier. Default 1900.',
    ),
    consecutive_gateway_failure: optional(uint32Value(), 'Consecutive 502, 503 or 504 answers. Default 5.'),
    enforcing_consecutive_gateway_failure: optional(percent(), 'Chance that a detection ejects. Default 0.'),
    split_external_local_origin_errors: plain(
      bool(),
      'Count errors of the proxy’s own making (connecting, timeouts) apart from those of the host.',
    ),
    consecutive_local_origin_failure: optional(uint32Value(), 'Consecutive local failures. Default 5.'),
    enforcing_consecutive_local_origin_failure: optional(percent(), 'Chance that a detection ejects. Default 100.'),
    enforcing_local_origin_success_rate: optional(percent(), 'Chance that a detection ejects. Default 100.'),
    failure_percentage_threshold: optional(percent(), 'Failure percentage of an outlier. Default 85.'),
    enforcing_failure_percentage: optional(percent(), 'Chance that a detection ejects. Default 0.'),
    enforcing_failure_percentage_local_origin: optional(percent(), 'Chance that a detection ejects. Default 0.'),
    failure_percentage_minimum_hosts: optional(uint32Value(), 'Hosts with enough requests needed. Default 5.'),
    failure_percentage_request_volume: optional(uint32Value(), 'Requests in an interval needed. Default 50.'),
    max_ejection_time: optional(
      duration({ aboveNanos: 0 }),
      'Longest ejection. Default 300 s or base_ejection_time, whichever is longer.',
      { extension: 'since 1.17' },
    ),
    max_ejection_time_jitter: optional(duration(), 'Random addition to an ejection. Default 0.', {
      extension: 'since 1.23',
    }),
    successful_active_health_check_uneject_host: optional(
      boolValue(),
      'A passed health check ends an ejection. Default true.',
      { extension: 'since 1.26' },
    ),
    always_eject_one_host: optional(boolValue(), 'One host may be ejected whatever max_ejection_percent says.', {
      extension: 'since 1.31',
    }),
  }),
  {
    doc: 'Passive health checking: hosts whose answers stand out are ejected for a while.',
    rules: [
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
    ],
  },
);
export type OutlierDetection = Output<typeof OutlierDetection>;
