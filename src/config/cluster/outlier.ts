import type { Messages } from '../api/generated/read-messages.js';
import { defaultOf } from '../../core/defaults.js';
import { message } from '../reader.js';

const DEFAULT_BASE_US = defaultOf('cluster.OutlierDetection', 'base_ejection_time');

/** cluster.OutlierDetection. Runtime keys `outlier_detection.*` override every value. */
export const OutlierDetection = message('cluster.OutlierDetection', {
  name: 'ejection-time-order',
  reads: ['base_ejection_time', 'max_ejection_time'],
  check: ({ baseEjectionTime = DEFAULT_BASE_US, maxEjectionTime }, report) => {
    if (maxEjectionTime !== undefined && maxEjectionTime < baseEjectionTime) {
      report('max_ejection_time must be greater than or equal to base_ejection_time', ['max_ejection_time']);
    }
  },
});
export type OutlierDetection = Messages['cluster.OutlierDetection'];
