import { OUTLIER_NUMBERS, OUTLIER_TIMES } from '../../settings/cluster-settings.js';
import { defaultOf } from '../../core/defaults.js';
import { each, message, optional, plain, type Output } from '../reader.js';
import { bool, boolValue, duration, uint32Value } from '../reader/proto.js';

const DEFAULT_BASE_US = defaultOf('cluster.OutlierDetection', 'base_ejection_time');

/** cluster.OutlierDetection. Runtime keys `outlier_detection.*` override every value. */
export const OutlierDetection = message(
  'cluster.OutlierDetection',
  () => ({
    ...each(OUTLIER_TIMES, optional(duration())),
    ...each(OUTLIER_NUMBERS, optional(uint32Value())),
    split_external_local_origin_errors: plain(bool()),
    successful_active_health_check_uneject_host: optional(boolValue()),
    always_eject_one_host: optional(boolValue()),
  }),
  {
    name: 'ejection-time-order',
    reads: ['base_ejection_time', 'max_ejection_time'],
    check: ({ baseEjectionTime = DEFAULT_BASE_US, maxEjectionTime }, report) => {
      if (maxEjectionTime !== undefined && maxEjectionTime < baseEjectionTime) {
        report('max_ejection_time must be greater than or equal to base_ejection_time', ['max_ejection_time']);
      }
    },
  },
);
export type OutlierDetection = Output<typeof OutlierDetection>;
