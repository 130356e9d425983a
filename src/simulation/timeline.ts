import { byKind, type Struct } from '../core/values.js';
import type { Micros } from '../core/units.js';
import { isTablePolicy } from '../policy/registry.js';
import type { Action, TimelineEntry } from '../settings/world.js';
import { servesAlike } from '../settings/behavior.js';
import type { Happening } from '../upstream/cause.js';
import type { EndpointAction } from '../upstream/cluster-manager.js';
import { EventKind } from './timers.js';
import type { ProxyCluster } from './proxy-cluster.js';
import type { Proxy } from './proxy.js';
import type { Router } from './router.js';
import type { Senders } from './senders.js';
import type { Server } from './servers/server.js';
import type { World } from './world.js';

/**
 * Runs the timeline. Changes of endpoints by entries of one instant are collected per cluster and delivered to the proxies
 * as one update, after the last entry: whole assignments first, so that the others edit those.
 * @returns `deliver`, to call at the event of {@link EventKind.delivery}: discovery delivers what the entries of this instant changed;
 * `add`: an entry more, not before the present.
 */
export function createTimeline(world: World, router: Router, senders: Senders) {
  let deliveryPushed = false;
  const entries = [...world.settings.timeline];
  /** By entry; Infinity: never again. */
  const nextUs: Micros[] = entries.map((entry) => unlessOver(entry, entry.atUs));
  schedule();

  function add(entry: TimelineEntry): void {
    entries.push(entry);
    nextUs.push(unlessOver(entry, entry.atUs));
    schedule();
  }

  function deliver(): void {
    deliveryPushed = false;
    world.manager.deliverChanged();
  }

  function schedule(): void {
    const atUs = nextUs.reduce((first, next) => Math.min(first, next), Infinity);
    if (atUs < Infinity) world.timers.at(atUs, () => actAt(atUs), EventKind.timeline);
  }

  function actAt(nowUs: Micros): void {
    const due: TimelineEntry[] = [];
    entries.forEach((entry, index) => {
      if (nextUs[index] !== nowUs) return;
      due.push(entry);
      nextUs[index] = entry.everyUs === undefined ? Infinity : unlessOver(entry, nowUs + entry.everyUs);
    });
    const [assignments, others] = [due.filter(isAssignment), due.filter((entry) => !isAssignment(entry))];
    for (const { action, label } of [...assignments, ...others]) {
      world.journal.log({ kind: 'timeline', fact: entryFact(label) });
      act(action, label);
    }
    schedule();
  }

  const act = byKind<Action, unknown, [label: string]>({
    set_health: changeEndpoints,
    set_weight: changeEndpoints,
    set_metadata: changeEndpoints,
    remove_hosts: changeEndpoints,
    add_hosts: changeEndpoints,
    assign: changeEndpoints,
    set_behavior: behave,
    set_rate: ({ workload, perSecond }, label) => {
      senders.setRate(workload, perSecond);
      note(label);
    },
    note: (_, label) => note(label),
    set_runtime: ({ values }, label) => setRuntime(values, label),
    // Proxies see it with their next query.
    dns: ({ answers }, label) => {
      world.resolver.replace(answers);
      note(label);
    },
    update_cluster: ({ cluster }, label) => world.manager.update(cluster, label),
    remove_cluster: ({ name }, label) => world.manager.remove(name, label),
  });

  function note(label: string): void {
    for (const cluster of world.clusters) cluster.log.label(entryFact(label), world.nowUs);
  }

  function changeEndpoints(action: EndpointAction | Extract<Action, { readonly kind: 'assign' }>, label: string): void {
    const { manager, queue, nowUs } = world;
    if (!manager.act(action, label) || deliveryPushed) return;
    deliveryPushed = true;
    queue.push(nowUs, EventKind.delivery, 0);
  }

  function behave(action: Action & { kind: 'set_behavior' }, label: string): void {
    const changed = world.servers.addRule({ hosts: action.hosts, behavior: action.behavior });
    const servers = [...changed.keys()];
    const served = new Set<Server>();
    const fallen = servers.filter(
      (one) => one.behavior.down !== 'none' && one.behavior.down !== changed.get(one)?.down,
    );
    // A break sends nothing at this instant: every affected exchange and connection exists already.
    const exchanges = router.hosts.exchanges.of(fallen);
    const connections = world.connectionsTo(fallen.filter(({ behavior }) => behavior.down === 'refuse'));
    for (const [server, before] of changed) {
      world.journal.detections.changed(server, before, label, world.nowUs);
      if (!servesAlike(server.behavior, before)) served.add(server);
      const { down } = server.behavior;
      const busyWith = exchanges.get(server);
      if (down !== 'none' && busyWith !== undefined) router.hosts.serverWentDown(server, busyWith, down);
      // Idle connections are gone; those in use broke with their requests.
      for (const connection of connections.get(server) ?? [])
        if (connection.state === 'open') connection.pool.close(connection, 'remote');
      router.hosts.serveQueue(server);
    }
    for (const cluster of world.clusters) {
      const has = (some: Pick<ReadonlySet<Server>, 'has'>): boolean =>
        cluster.servers.some((server) => some.has(server));
      if (has(served)) world.journal.startPhase(cluster, [{ fact: entryFact(label) }], served);
      else if (has(changed)) cluster.log.label(entryFact(label), world.nowUs);
    }
  }

  /** Most values take effect with the next update; a few are read at each pick, and begin a phase. */
  function setRuntime(values: Struct, label: string): void {
    for (const proxy of world.proxies) proxy.setRuntime(values);
    for (const cluster of world.clusters) {
      const matters = world.proxies.some((proxy) =>
        keysReadAtPicks(proxy, proxy.clusterAt(cluster.index)).some((key) => Object.hasOwn(values, key)),
      );
      if (matters) world.journal.startPhase(cluster, [{ fact: entryFact(label) }]);
      else cluster.log.label(entryFact(label), world.nowUs);
    }
  }

  return { deliver, add };
}

const entryFact = (entry: string): Happening => ({ kind: 'timeline', entry });
const isAssignment = ({ action }: TimelineEntry): boolean => action.kind === 'assign';

const unlessOver = ({ everyUs, untilUs }: TimelineEntry, atUs: Micros): Micros =>
  everyUs !== undefined && untilUs !== undefined && atUs >= untilUs ? Infinity : atUs;

/** Runtime keys that change where the next request goes, without an update of the cluster. */
function keysReadAtPicks({ spec }: Proxy, { lb, name }: ProxyCluster): readonly string[] {
  const keys = lb.slowStart === undefined ? [] : [lb.slowStart.aggression.runtimeKey];
  const byZone = spec.localClusterName !== undefined && spec.localClusterName !== name && !isTablePolicy(lb.lbPolicy);
  // Each pick checks the panic of the local cluster.
  return byZone ? [...keys, 'upstream.zone_routing.enabled', 'upstream.healthy_panic_threshold'] : keys;
}
