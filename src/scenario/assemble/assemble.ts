import { present, without as allBut, withoutField } from '../../core/values.js';
import type { ApiVersion } from '../../config/api/api.js';
import { Cluster } from '../../config/cluster/cluster.js';
import { type DefaultTraffic, defaultTraffic, keylessNotes } from './default-traffic.js';
import type { Sourced } from './each-cluster.js';
import { describeExpectation } from './describe.js';
import { type HostKnowledge, HostKnowledgeBase, unresolvedNotes } from './known-hosts.js';
import type { ReadInputs } from '../input/read-inputs.js';
import { withMadeUpHosts } from '../options/apply-hosts-option.js';
import type { FileRoute } from '../input/routes.js';
import { actionsOf, clustersAsked } from '../../settings/world.js';
import type { Expectation, Scenario, TimelineEntry } from '../model.js';
import * as origins from '../origin.js';
import type { ScenarioParts } from '../read-parts.js';
import type { WrittenWorkload } from '../fields/workload.js';
import { checkValue } from '../../config/reader.js';
import { nodeOf } from '../../config/source/trees.js';

/** A cluster of which nothing but the name is known: STATIC, without hosts. undefined: no cluster can have this name. */
const namedCluster = (name: string): Cluster | undefined =>
  checkValue(Cluster, nodeOf({ name, type: 'STATIC', connect_timeout: '1s' }), 'proxy').value;

export interface Surroundings {
  readonly file: string;
  /** Acts before the file's own timeline. */
  readonly atStart: readonly TimelineEntry[];
  readonly input: Pick<ReadInputs, 'apis' | 'routes' | 'own' | 'bare' | 'statusOnly' | 'rates'>;
  readonly api: ApiVersion | undefined;
  readonly madeUp: ReadonlySet<string>;
  readonly given: ReadonlySet<string>;
  /** Hosts are made up for clusters whose hosts are not known. */
  readonly makesUp: boolean;
  readonly supposed?: {
    readonly clusters: ReturnType<typeof origins.clustersWithoutHosts>;
    readonly hosts: ReadonlySet<string>;
  };
  /** Clusters whose hosts are not known are sent to, too. */
  readonly supposesHosts: boolean;
  /** What its settings do in a proxy and not here: a sentence each. */
  readonly lacking: readonly string[];
  /** undefined: all clusters. */
  readonly reported: ReadonlySet<string> | undefined;
}

export function assemble(
  parts: ScenarioParts,
  entries: readonly Sourced<WrittenWorkload>[],
  around: Surroundings,
): Scenario {
  const { file, atStart, input, api, madeUp, given, lacking, reported, supposed, supposesHosts } = around;
  const clusters = present(parts.clusters);
  const timeline = present(parts.timeline);
  const proxies = present(parts.proxies);
  const { assignments, dns } = parts;
  const wanted = reported === undefined ? clusters : clusters.filter(({ name }) => reported.has(name));
  const knowledge = new HostKnowledgeBase({ clusters, assignments, dns, timeline });
  const areOthers = wanted.some(({ name }) => !input.own.has(name));
  const isNeeded = (name: string): boolean => reported === undefined && areOthers && input.own.has(name);
  const open = origins.clustersWithoutHosts(wanted, knowledge);
  // Nobody asks for the hosts of what the proxy needs for itself.
  const unknown = open.filter(({ name }) => !isNeeded(name));
  if (around.makesUp && unknown.length > 0) {
    const made = withMadeUpHosts(parts, unknown);
    const all = new Set([...madeUp, ...made.madeUp]);
    return assemble(made.parts, entries, {
      ...around,
      makesUp: false,
      madeUp: all,
      supposed: { clusters: unknown, hosts: made.madeUp },
    });
  }
  // Nobody can send to clusters whose hosts are not known; a pattern need not mean them.
  const isOpenTarget = ({ isEach, route }: (typeof entries)[number]): boolean =>
    isEach === true && unknown.some(({ cluster }) => cluster.name === route[0]?.cluster);
  const sent = entries.filter((entry) => !isOpenTarget(entry));
  const written = sent.length > 0 ? sent : entries;
  let traffic: DefaultTraffic | undefined;
  let unsent: string | undefined;
  if (wanted.length === 0 && input.bare) {
    unsent = 'there is no cluster, so nothing can be sent: name the file that has them, too';
  } else if (written.length === 0 && parts.requests.length === 0) {
    const of = (...kinds: readonly HostKnowledge['kind'][]): readonly Cluster[] =>
      wanted.filter((cluster) => kinds.includes(knowledge.of(cluster).kind));
    const reachable = supposesHosts ? of('hosts', 'unknown') : of('hosts');
    // Known to have no hosts is an answer too.
    const known = [...reachable, ...of('none')];
    const own = reported === undefined ? input.own : new Map<string, string>();
    const targets = { reachable: reachable.length > 0 ? reachable : wanted, withHosts: known, all: clusters, own };
    const routes = reported === undefined ? input.routes : within(reported, input.routes);
    traffic = defaultTraffic(targets, routes, parts.durationUs, input.rates);
    if (reachable.length === 0 && unknown.length > 0) unsent = origins.unsentSentence('no cluster', unknown);
  } else {
    const asked = clustersAsked({ workloads: written, requests: present(parts.requests) });
    const targets = clusters.filter(({ name }) => asked.has(name));
    const open = origins.clustersWithoutHosts(targets, knowledge);
    const isOpen = targets.length === asked.size && targets.every((one) => knowledge.of(one).kind === 'unknown');
    if (isOpen && open.length > 0) unsent = origins.unsentSentence('no cluster that requests go to', open);
  }
  const workloads: readonly Sourced<WrittenWorkload>[] = traffic?.workloads ?? written;
  const closed = allBut(
    clusters,
    open.map(({ cluster }) => cluster),
  );
  const notes = [
    ...(traffic?.notes ?? []),
    ...keylessNotes(clusters, workloads, traffic === undefined ? 'hash_key' : 'hash_policy'),
    ...unresolvedNotes(closed, knowledge),
  ];
  const says = [
    ...lacking,
    origins.apiSentence(input.apis, api, input.bare),
    origins.addedSentence([...clusters, ...actionsOf(timeline, 'update_cluster').map(({ cluster }) => cluster)]),
    origins.madeUpSentence(new Set(allBut([...madeUp], [...(supposed?.hosts ?? [])]))),
    ...(traffic?.says ?? []),
    supposed && origins.supposedSentence(supposed.clusters, wanted.length),
    origins.withoutHostsSentence(unknown, wanted.length),
  ];
  const many = new Set(parts.clusterNames).size > 1;
  const sentTo = clustersAsked({ workloads, requests: present(parts.requests) });
  // Of clusters that nothing is sent to a pattern means statistics only.
  const expect = present(parts.expect).filter(
    ({ isEach, subject }) => isEach !== true || !('cluster' in subject) || sentTo.has(subject.cluster),
  );
  return {
    name: parts.name ?? baseName(file),
    description: parts.description,
    seed: parts.seed,
    durationUs: parts.durationUs,
    warmupUs: parts.warmupUs,
    proxies,
    clusters,
    absentClusters: (traffic?.absent ?? []).flatMap((name) => namedCluster(name) ?? []),
    assignments,
    dns,
    behavior: present(parts.behavior),
    workloads: workloads.map((workload) => withoutField(workload, 'routed', 'entry', 'isEach')),
    requests: present(parts.requests),
    timeline: [...atStart, ...timeline.map((entry) => withoutField(entry, 'word'))],
    question: present(parts.question),
    expect: expect.map((one): Expectation => ({
      ...withoutField(one, 'isEach'),
      text: describeExpectation(one, many || one.isEach === true),
    })),
    notes,
    origin: {
      bare: input.bare,
      statusOnly: input.statusOnly,
      says: present(says),
      lacking,
      unknownHosts: open.map(({ cluster }) => cluster.name),
      unsent,
      routeNotes: traffic?.routeNotes ?? [],
      hashPolicies: traffic?.hashPolicies ?? new Map(),
      hashNotes: traffic?.hashNotes ?? new Map(),
      madeUpHosts: madeUp,
      givenHosts: given,
      reported,
    },
  };
}

const within = (reported: ReadonlySet<string>, routes: readonly FileRoute[]): readonly FileRoute[] =>
  routes.map((route) => ({
    ...route,
    clusters: route.clusters.filter(({ cluster }) => reported.has(cluster)),
    written: route.clusters,
  }));

/** `scenarios/zone-outage.yaml` → `zone-outage` */
const baseName = (file: string): string =>
  file === '-' ? 'stdin' : file.replace(/^.*[/\\]/, '').replace(/\.(ya?ml|json)$/i, '');
