import type { Action, TimelineEntry } from '../model.js';
import {
  defaulted,
  INVALID,
  mark,
  optional,
  type Output,
  reading,
  required,
  type Schema,
} from '../../config/reader.js';
import { block } from './block.js';
import { words } from '../../config/reader/plain-choices.js';
import { Cluster } from '../../config/cluster/cluster.js';
import { ClusterLoadAssignment, LbEndpoint } from '../../config/endpoint.js';
import { readerOf } from '../../config/reader/walk.js';
import { BEHAVIOR_FIELDS, SAYS_SOMETHING, SELECTED_HOSTS } from './behavior.js';
import { defined } from '../../core/defined.js';
import { describeAction } from '../assemble/describe.js';
import { DnsMap } from './dns.js';
import { Endpoint, lbEndpointsOf, localityOf, MAX_WEIGHT } from './endpoints.js';
import { DurationText, integer, MetadataMap, Name, nonEmpty, positiveDuration, Rate, RuntimeMap } from './fields.js';
import { fieldOf } from '../../config/source/trees.js';
import { HostSelector, LocalityBlock, LocalityName } from './selector-schema.js';
import { describeSelector } from '../selector.js';

/** `timeline`: what changes while the run goes on. */

/** LbEndpoints as in the proxy's configuration, or the shorthand; each item may stand for several hosts. */
const NewHost = mark(
  reading<readonly LbEndpoint[]>('endpoint', (node, walk) => {
    if (fieldOf(node, 'endpoint') !== undefined || fieldOf(node, 'endpoint_name') !== undefined) {
      const written = readerOf(LbEndpoint)(node, walk);
      return written === INVALID ? INVALID : [written];
    }
    const spec = readerOf(Endpoint)(node, walk);
    if (spec === INVALID) return INVALID;
    const { priority, locality } = spec;
    if (priority !== 0 || locality !== undefined) {
      return walk.error('endpoints', 'priority and locality of new hosts belong to add_hosts itself', node);
    }
    return lbEndpointsOf(spec);
  }),
  { json: (of) => ({ anyOf: [of(Endpoint), of(LbEndpoint)] }) },
);

const NewHosts: Schema<readonly LbEndpoint[]> = nonEmpty(NewHost, 'name at least one host').transform((lists) =>
  lists.flat(),
);

const hosts = required(HostSelector, 'Which hosts.');

const SetHealth = block('set_health', () => ({
  hosts,
  status: required(words(['HEALTHY', 'UNHEALTHY', 'DRAINING', 'TIMEOUT', 'DEGRADED'])),
}));
const SetWeight = block('set_weight', () => ({ hosts, weight: required(integer('weight', 1, MAX_WEIGHT)) }));
const SetMetadata = block('set_metadata', () => ({ hosts, metadata: required(MetadataMap) }));
const AddHosts = block('add_hosts', () => ({
  cluster: required(Name),
  priority: defaulted(integer('priority', 0, 127), 0),
  zone: optional(LocalityName),
  locality: optional(LocalityBlock),
  endpoints: required(NewHosts),
}));
const SetBehavior = block('set_behavior', () => ({ ...SELECTED_HOSTS, ...BEHAVIOR_FIELDS }), SAYS_SOMETHING);
const SetRate = block('set_rate', () => ({ workload: required(Name), rate: required(Rate) }));

const EntryBlock = block(
  'timeline entry',
  () => ({
    at: optional(DurationText),
    every: optional(positiveDuration('every')),
    from: optional(DurationText),
    until: optional(DurationText),
    fail: optional(HostSelector),
    recover: optional(HostSelector),
    set_health: optional(SetHealth),
    set_weight: optional(SetWeight),
    set_metadata: optional(SetMetadata),
    add_hosts: optional(AddHosts),
    remove_hosts: optional(HostSelector),
    assign: optional(ClusterLoadAssignment),
    dns: optional(DnsMap),
    update_cluster: optional(Cluster),
    remove_cluster: optional(Name),
    set_behavior: optional(SetBehavior),
    set_rate: optional(SetRate),
    set_runtime: optional(RuntimeMap),
    note: optional(Name),
  }),
  {
    name: 'timeline-window',
    reads: ['at', 'every', 'from', 'until'],
    check: ({ every, from, until }, report) => {
      if (every === undefined) {
        if (from !== undefined) report('from belongs to every', ['from']);
        if (until !== undefined) report('until belongs to every', ['until']);
      } else if (until !== undefined && until <= (from ?? 0)) {
        report('until is not after from: this would never act', ['until']);
      }
    },
  },
);

type EntryFields = Output<typeof EntryBlock>;

/** An entry, and the word of its action in the file: `fail` and `recover` have become `set_behavior`. */
export interface WrittenEntry extends TimelineEntry {
  readonly word: string;
}

export const TimelineEntrySchema: Schema<WrittenEntry> = EntryBlock.transform((fields): WrittenEntry => {
  const { action, label = describeAction(action), word = action.kind } = actionOf(fields);
  return { atUs: fields.at ?? fields.from ?? 0, everyUs: fields.every, untilUs: fields.until, action, label, word };
});

interface ActionAndWord {
  readonly action: Action;
  readonly label?: string;
  readonly word?: string;
}

function actionOf(fields: EntryFields): ActionAndWord {
  const { fail, recover, setHealth, setWeight, setMetadata, addHosts, setBehavior, setRate } = fields;
  if (fail !== undefined) return { ...failing(fail), word: 'fail' };
  if (recover !== undefined) {
    const action: Action = { kind: 'set_behavior', hosts: recover, behavior: { down: 'none', healthCheck: 'ok' } };
    return { action, label: `${describeSelector(recover)} answers again`, word: 'recover' };
  }
  if (setHealth !== undefined) return { action: { kind: 'set_health', ...setHealth } };
  if (setWeight !== undefined) return { action: { kind: 'set_weight', ...setWeight } };
  if (setMetadata !== undefined) return { action: { kind: 'set_metadata', ...setMetadata } };
  if (addHosts !== undefined) return { action: addition(addHosts) };
  if (fields.removeHosts !== undefined) return { action: { kind: 'remove_hosts', hosts: fields.removeHosts } };
  if (fields.assign !== undefined) {
    return { action: { kind: 'assign', name: fields.assign.clusterName, assignment: fields.assign } };
  }
  if (fields.dns !== undefined) return { action: { kind: 'dns', answers: fields.dns } };
  if (fields.updateCluster !== undefined) return { action: { kind: 'update_cluster', cluster: fields.updateCluster } };
  if (fields.removeCluster !== undefined) return { action: { kind: 'remove_cluster', name: fields.removeCluster } };
  if (setBehavior !== undefined) {
    const { hosts: some, match, ...behavior } = setBehavior;
    return { action: { kind: 'set_behavior', hosts: some ?? match ?? {}, behavior: defined(behavior) } };
  }
  if (setRate !== undefined) {
    return { action: { kind: 'set_rate', workload: setRate.workload, perSecond: setRate.rate } };
  }
  if (fields.setRuntime !== undefined) return { action: { kind: 'set_runtime', values: fields.setRuntime } };
  return { action: { kind: 'note', text: fields.note ?? '' } };
}

/** `fail`: the hosts refuse connections; how the proxy reacts depends on its configuration. */
export function failing(selected: Output<typeof HostSelector>): { readonly action: Action; readonly label: string } {
  const action: Action = { kind: 'set_behavior', hosts: selected, behavior: { down: 'refuse' } };
  return { action, label: `${describeSelector(selected)} stops answering` };
}

function addition(fields: Output<typeof AddHosts>): Action {
  const { cluster, priority, endpoints } = fields;
  return { kind: 'add_hosts', cluster, priority, locality: localityOf(fields), endpoints };
}
