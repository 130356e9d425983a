import type { Notice } from '../scenario/notice.js';

/** "once health checks have noticed": what a state after a loss presumes; "which nothing notices (…)". */
export function noticeText(by: Notice | null): string {
  switch (by) {
    case null:
      return 'which nothing notices (no health_checks, no outlier_detection)';
    case 'health_checks':
      return 'once health checks have noticed';
    case 'outlier_detection':
      return 'once outlier detection has ejected as many as it may';
    case 'control_plane':
      return 'once the control plane has noticed';
    case 'dns':
      return 'once DNS no longer names them';
  }
}
