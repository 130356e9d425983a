import type { Notice } from '../scenario/notice.js';

/** "once health checks have noticed": what a state after a loss presumes; "which nothing notices (…)". */
export function noticeText(by: Notice | null): string {
  return by === null ? 'which nothing notices (no health_checks, no outlier_detection)' : NOTICED[by];
}

const NOTICED: Readonly<Record<Notice, string>> = {
  health_checks: 'once health checks have noticed',
  outlier_detection: 'once outlier detection has ejected as many as it may',
  control_plane: 'once the control plane has noticed',
  dns: 'once DNS no longer names them',
};
