import { checkExpectations } from './check-expectations.js';
import { checkHosts } from './check-hosts.js';
import { checkTimeline } from './check-timeline.js';
import { checkTraffic } from './check-traffic.js';
import { References, type ReportAt } from './lookup.js';
import type { ScenarioParts } from './scenario-parts.js';
import { formatDuration } from './units.js';

/** All checks that involve several parts of a scenario. */
export function checkReferences(parts: ScenarioParts, report: ReportAt): void {
  const refs = new References(parts, report);
  checkHosts(refs);
  checkTraffic(refs);
  checkTimeline(refs);
  checkExpectations(refs);
  for (const { cluster, path } of parts.unreadReferences) refs.clusterKnown(cluster, path);
  const { durationUs, warmupUs } = parts;
  if (durationUs !== undefined && warmupUs >= durationUs) {
    const text = `warmup is not shorter than the run (${formatDuration(durationUs)}): nothing is counted`;
    report('warning', ['warmup'], 'warmup', text);
  }
}
