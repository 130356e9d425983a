import type { Action, TimelineEntry } from '../model.js';
import * as readers from '../../config/reader.js';
import { block, said, says } from './block.js';
import { words } from '../../config/reader/combinators.js';
import { Cluster } from '../../config/cluster/cluster.js';
import { ClusterLoadAssignment, LbEndpoint } from '../../config/assignment-rules.js';
import { readerOf } from '../../config/reader/walk.js';
import { behaviorOf, BEHAVIOR_FIELDS, SAYS_SOMETHING, SELECTED_HOSTS } from './behavior.js';
import { describeAction } from '../assemble/describe.js';
import { DnsMap } from './dns.js';
import { Endpoint, lbEndpointsOf, localityOf, MAX_WEIGHT } from './endpoints.js';
import { DurationText, integer, MetadataMap, Name, nonEmpty, positiveDuration, Rate, RuntimeMap } from './fields.js';
import { fieldOf } from '../../config/source/trees.js';
import { HostSelector, LocalityBlock, LocalityName } from './selector-schema.js';
import { describeSelector } from '../selector.js';

/** `timeline`: what changes while the run goes on. */

/** LbEndpoints as in the proxy's configuration, or the shorthand; each item may stand for several hosts. */
const NewHost = readers.mark(
  readers.reading<readonly LbEndpoint[]>('endpoint', (node, walk) => {
    if (fieldOf(node, 'endpoint') !== undefined || fieldOf(node, 'endpoint_name') !== undefined) {
      const written = readerOf(LbEndpoint)(node, walk);
      return written === readers.INVALID ? readers.INVALID : [written];
    }
    const spec = readerOf(Endpoint)(node, walk);
    if (spec === readers.INVALID) return readers.INVALID;
    const { priority, locality } = spec;
    if (priority !== 0 || locality !== undefined)
      return walk.error('endpoints', 'priority and locality of new hosts belong to add_hosts itself', node);
    return lbEndpointsOf(spec);
  }),
  { json: (of) => ({ anyOf: [of(Endpoint), of(LbEndpoint)] }) },
);

const NewHosts: readers.Schema<readonly LbEndpoint[]> = nonEmpty(NewHost, 'name at least one host').transform((lists) =>
  lists.flat(),
);

const hosts = readers.required(HostSelector, 'Which hosts.');

const SetHealth = block('set_health', () => ({
  hosts,
  status: readers.required(words(['HEALTHY', 'UNHEALTHY', 'DRAINING', 'TIMEOUT', 'DEGRADED'])),
}));
const SetWeight = block('set_weight', () => ({ hosts, weight: readers.required(integer('weight', 1, MAX_WEIGHT)) }));
const SetMetadata = block('set_metadata', () => ({ hosts, metadata: readers.required(MetadataMap) }));
const AddHosts = block('add_hosts', () => ({
  cluster: readers.required(Name),
  priority: readers.defaulted(integer('priority', 0, 127), 0),
  zone: readers.optional(LocalityName),
  locality: readers.optional(LocalityBlock),
  endpoints: readers.required(NewHosts),
}));
const SetBehavior = block('set_behavior', () => ({ ...SELECTED_HOSTS, ...BEHAVIOR_FIELDS }), SAYS_SOMETHING);
const SetRate = block('set_rate', () => ({ workload: readers.required(Name), rate: readers.required(Rate) }));

interface ActionAndWord {
  readonly action: Action;
  readonly label?: string;
  /** The word of the action in the file. Default: its kind. */
  readonly word?: string;
}

const acts = <T>(schema: readers.Schema<T>, action: (written: T) => ActionAndWord) => says(schema, action);

/** `fail`: the hosts refuse connections; how the proxy reacts depends on its configuration. */
export function failing(selected: readers.Output<typeof HostSelector>): Required<ActionAndWord> {
  const action: Action = { kind: 'set_behavior', hosts: selected, behavior: { down: 'refuse' } };
  return { action, label: `${describeSelector(selected)} stops answering`, word: 'fail' };
}

const EntryBlock = block(
  'timeline entry',
  () => ({
    at: readers.optional(DurationText),
    every: readers.optional(positiveDuration('every')),
    from: readers.optional(DurationText),
    until: readers.optional(DurationText),
    fail: acts(HostSelector, failing),
    recover: acts(HostSelector, (selected) => ({
      action: { kind: 'set_behavior', hosts: selected, behavior: { down: 'none', healthCheck: 'ok' } },
      label: `${describeSelector(selected)} answers again`,
      word: 'recover',
    })),
    set_health: acts(SetHealth, (set) => ({ action: { kind: 'set_health', ...set } })),
    set_weight: acts(SetWeight, (set) => ({ action: { kind: 'set_weight', ...set } })),
    set_metadata: acts(SetMetadata, (set) => ({ action: { kind: 'set_metadata', ...set } })),
    add_hosts: acts(AddHosts, ({ cluster, priority, endpoints, ...place }) => ({
      action: { kind: 'add_hosts', cluster, priority, locality: localityOf(place), endpoints },
    })),
    remove_hosts: acts(HostSelector, (selected) => ({ action: { kind: 'remove_hosts', hosts: selected } })),
    assign: acts(ClusterLoadAssignment, (assignment) => ({
      action: { kind: 'assign', name: assignment.clusterName, assignment },
    })),
    dns: acts(DnsMap, (answers) => ({ action: { kind: 'dns', answers } })),
    update_cluster: acts(Cluster, (cluster) => ({ action: { kind: 'update_cluster', cluster } })),
    remove_cluster: acts(Name, (name) => ({ action: { kind: 'remove_cluster', name } })),
    set_behavior: acts(SetBehavior, ({ hosts: some, match, ...behavior }) => ({
      action: { kind: 'set_behavior', hosts: some ?? match ?? {}, behavior: behaviorOf(behavior) },
    })),
    set_rate: acts(SetRate, ({ workload, rate }) => ({ action: { kind: 'set_rate', workload, perSecond: rate } })),
    set_runtime: acts(RuntimeMap, (values) => ({ action: { kind: 'set_runtime', values } })),
    note: acts(Name, (text) => ({ action: { kind: 'note', text } })),
  }),
  readers.rule('timeline-window', ['at', 'every', 'from', 'until'], ({ every, from, until }, report) => {
    if (every === undefined) {
      if (from !== undefined) report('from belongs to every', ['from']);
      if (until !== undefined) report('until belongs to every', ['until']);
    } else if (until !== undefined && until <= (from ?? 0)) {
      report('until is not after from: this would never act', ['until']);
    }
  }),
);

/** An entry, and the word of its action in the file: `fail` and `recover` have become `set_behavior`. */
export interface WrittenEntry extends TimelineEntry {
  readonly word: string;
}

export const TimelineEntrySchema: readers.Schema<WrittenEntry> = EntryBlock.transform(
  ({ at, every: everyUs, from, until: untilUs, ...actions }): WrittenEntry => {
    const { action, label = describeAction(action), word = action.kind } = said(actions) ?? NOTHING;
    return { atUs: at ?? from ?? 0, everyUs, untilUs, action, label, word };
  },
);

/** There always is an action. */
const NOTHING: ActionAndWord = { action: { kind: 'note', text: '' } };
