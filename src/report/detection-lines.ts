import { groupBy, largest, smallest } from '../core/lists.js';
import { printable } from '../core/printable.js';
import { unseenText } from './outage.js';
import { noticeText } from '../words/happenings.js';
import type { ClusterResult, DetectionResult, NoticeResult } from '../result/run-result.js';
import { count, counted, listed, percent, seconds } from './format.js';
import { type ReportLayout, labelled, wrap } from './layout.js';

/** More than this are left to the JSON document. */
const MAX_DETECTIONS = 6;

/**
 * How long the proxies took to detect failures: hosts that failed together are one sentence.
 *
 * @param fleet there are several proxies, which have to be named.
 */
export function detectionLines(detections: readonly DetectionResult[], layout: ReportLayout, fleet: boolean): string[] {
  if (detections.length === 0) return [];
  const all = [...groupBy(detections, ({ event, failed_at_s }) => JSON.stringify([event, failed_at_s])).values()];
  const shown = layout.all ? all : all.slice(0, MAX_DETECTIONS);
  const lines = shown.flatMap((group, index) =>
    wrap(sentence(group, fleet), layout.width, index === 0 ? 'detection ' : '          ', '            '),
  );
  if (shown.length < all.length) lines.push(`          … ${count(all.length - shown.length)} more (--all lists them)`);
  return [...lines, ''];
}

function sentence(group: readonly DetectionResult[], fleet: boolean): string {
  const [first] = group;
  if (first === undefined) return '';
  const of = group.length === 1 ? '' : ` (${counted(group.length, 'host')})`;
  const begun = `${printable(first.event)} at ${seconds(first.failed_at_s)}${of}`;
  const seen = group.flatMap((detection) => detection.seen);
  const missed = group.filter((detection) => detection.seen.length === 0).length;
  if (seen.length === 0) return `${begun}: ${unseenText(group)}.`;
  const unnoticed = missed === 0 ? '' : `, ${counted(missed, 'host')} by nobody`;
  const back = group.flatMap((detection) => detection.back);
  const recovered = first.recovered_at_s === null ? '' : `; well at ${seconds(first.recovered_at_s)}`;
  const trusted =
    first.recovered_at_s === null ? '' : back.length === 0 ? ', not used again' : `, used again ${after(back, fleet)}`;
  return `${begun}: noticed ${after(seen, fleet)}${unnoticed}${recovered}${trusted}.`;
}

/** "after 2.1 s (failed checks)"; of a fleet "after 2.1 to 4.3 s by 20 proxies (failed checks)". */
function after(notices: readonly NoticeResult[], fleet: boolean): string {
  const times = notices.map((notice) => notice.after_s);
  const [least, most] = [smallest(times), largest(times)];
  const range = least === most ? seconds(least) : `${String(round(least))} to ${seconds(round(most))}`;
  const proxies = [...new Set(notices.map(({ proxy }) => printable(proxy)))];
  const by = proxies.length > 3 ? counted(proxies.length, 'proxy', 'proxies') : listed(proxies);
  return `after ${range}${fleet ? ` by ${by}` : ''} (${listed([...new Set(notices.map((notice) => noticeText(notice.fact)))])})`;
}

/** Three significant figures. */
function round(value: number): number {
  return Number(value.toPrecision(3));
}

/** The savings and the costs of the merge window. */
export function mergeWindowLines(cluster: ClusterResult, layout: ReportLayout): string[] {
  const { merge_window: window } = cluster;
  if (window === undefined) return [];
  const { updates_put_off: putOff, deliveries, updates_saved: saved, requests_to_known_bad: bad } = window;
  const cost =
    bad.requests === 0
      ? 'no request went to a host that was known to be bad'
      : `${counted(bad.requests, 'request')} (${percent(bad.share)}) went to hosts already known to be bad`;
  const text = `${counted(putOff, 'update')} waited for the merge window and went out in ${counted(deliveries, 'delivery', 'deliveries')} (${count(saved)} saved); meanwhile ${cost}`;
  return [...labelled('merging', text, layout.width), ''];
}
