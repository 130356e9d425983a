import { checkValue } from '../config/reader.js';
import { nodeOf, type Plain } from '../config/source/trees.js';
import { withoutField } from '../core/values.js';
import type { Micros } from '../core/units.js';
import type * as settings from '../settings/world.js';
import { checkAction, References } from './check/references.js';
import { TimelineEntrySchema } from './fields/timeline.js';
import { formatDuration } from '../core/words.js';
import type { Scenario, TimelineEntry } from './model.js';
import { entrySettings } from './world-of.js';

/** Entries that join the timeline of a run while it goes on: read and checked as those of its file. */
export class LaterEntries {
  /** With those that have joined: they may have brought hosts. */
  private readonly timeline: TimelineEntry[] = [...this.scenario.timeline];

  constructor(private readonly scenario: Scenario) {}

  /** @param written as in a file; without a time it acts at `nowUs`. @throws TypeError that says all that is wrong with it. */
  read(written: Readonly<Record<string, unknown>>, nowUs: Micros): settings.TimelineEntry {
    const { scenario, timeline } = this;
    const timed = 'at' in written || 'every' in written ? written : { at: formatDuration(nowUs), ...written };
    const { value: entry, problems } = checkValue(TimelineEntrySchema, nodeOf(timed as Plain), 'scenario');
    const errors = problems.filter(({ severity }) => severity === 'error');
    const wrong = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
    if (entry !== undefined && entry.atUs < nowUs)
      wrong.push(`${formatDuration(entry.atUs)} is past: the run is at ${formatDuration(nowUs)}`);
    if (entry !== undefined) {
      const { clusters, absentClusters } = scenario;
      const clusterNames = [...clusters, ...absentClusters].map(({ name }) => name);
      const parts = { ...scenario, timeline, clusterNames, clustersNamed: true, hostsRead: true };
      const refs = new References(parts, (_severity, _path, _rule, message) => wrong.push(message));
      checkAction(refs, entry, []);
      if (entry.action.kind === 'update_cluster') refs.clusterKnown(entry.action.cluster.name, []);
    }
    if (entry === undefined || wrong.length > 0) throw new TypeError(`apply: ${wrong.join('; ')}`);
    const joining = withoutField(entry, 'word');
    timeline.push(joining);
    const versions = [...new Set(scenario.proxies.map(({ version }) => version))];
    return entrySettings(joining, versions);
  }
}
