import { own } from '../../core/values.js';
import { OBJECTS } from './generated/objects.js';
import { mapped, mappedIfAny } from './mapping.js';
import type { Draft, Made, Part } from './part.js';
import { type Endpoint, type KubeObject, localityEndpoints, Snapshot, typed } from './services.js';

const TABLES = OBJECTS.consul;
const HASHED: readonly string[] = ['maglev', 'ring_hash'];

interface Instance extends Endpoint {
  readonly service: string;
  readonly meta: Readonly<Record<string, string>>;
}

/** A service, or a subset of one, in the datacenter of the proxy. */
interface Target {
  readonly service: string;
  readonly subset: string;
  readonly resolver: Part;
  /** Its percentage, where requests are split. */
  readonly weight: number;
}

type Destination = Readonly<{ isSplit: boolean; targets: readonly Target[] }>;

/** `service-resolver` of `ServiceResolver`, too. */
const entryKind = ({ kind }: KubeObject): string => kind.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();

/** What Consul makes of the entries of a datacenter, for a proxy whose upstreams they are. */
export class Chains {
  private readonly entries: ReadonlyMap<string, KubeObject> = new Map(
    this.objects.map((one) => [`${entryKind(one)} ${one.name}`, one]),
  );

  private readonly fixture: KubeObject | undefined = this.objects.find(({ kind }) => kind === 'fixture');
  /** What the service that asks says of its upstreams. */
  private readonly upstreams: readonly Part[] = this.objects.flatMap((one) =>
    isOfUpstreams(one) ? [one.spec.at('upstreamConfig')] : [],
  );
  private readonly made = new Snapshot();
  private readonly visited = new Set<string>();
  private readonly clusters = new Set<string>();
  /** What holds for all clusters of the chain that is made. */
  private upstream: Part = this.nothing;
  private isHttp2 = false;
  private readonly instances: readonly Instance[] = [
    ...this.objects.flatMap(catalogOf),
    ...(this.fixture ? instancesOf(this.fixture) : []),
  ];

  constructor(
    private readonly objects: readonly KubeObject[],
    private readonly nothing: Part,
  ) {}

  run(): Snapshot {
    const kinds = ['service-router', 'service-splitter', 'service-resolver', 'service-defaults', 'instances'];
    const named = kinds.flatMap((kind) => this.objects.filter((one) => entryKind(one) === kind && !isOfUpstreams(one)));
    const names = [...(this.fixture === undefined ? [] : ['db']), ...named.map(({ name }) => name)];
    for (const name of names) if (!this.visited.has(name)) this.chain(name);
    return this.made;
  }

  private entry(kind: string, name: string): Part {
    return this.entries.get(`${kind} ${name}`)?.spec ?? this.nothing;
  }

  private chain(name: string): void {
    this.visited.add(name);
    const protocol =
      this.entry('service-defaults', name).text('protocol') ||
      this.entry('proxy-defaults', 'global').text('config.protocol') ||
      'tcp';
    this.isHttp2 = ['http2', 'grpc'].includes(protocol);
    this.upstream = this.upstreamOf(name);
    const router = this.entry('service-router', name);
    const routes = router.items('routes').map((route): Made => {
      const to = route.at('destination');
      const service = to.text('service') || name;
      const action = this.action(this.destination(service, to.text('serviceSubset'), []));
      const retries = { retry_policy: retriesOf(to) };
      return {
        match: mapped(route.at('match.http'), TABLES.match),
        route: { ...action, ...mapped(to, TABLES.destination), ...retries },
      };
    });
    const last = this.destination(name, '', []);
    const action = this.action(last);
    const [first] = last.targets;
    if (!['http', 'http2', 'grpc'].includes(protocol.toLowerCase())) {
      delete action['hash_policy'];
      this.made.addConnections(first?.resolver.span ?? router.span, name, action);
      return;
    }
    const timeout = last.isSplit || first === undefined ? {} : mapped(first.resolver, TABLES.resolverRoute);
    const all = [...routes, { match: { prefix: '/' }, route: { ...action, ...timeout } }];
    this.made.addRoutes(router.span, name, [{ name, domains: ['*'], routes: all }]);
  }

  /** What holds for an upstream, the nearest first. */
  private upstreamOf(name: string): Part {
    const named = this.upstreams.flatMap((one) =>
      one.items('overrides').filter((other) => other.text('name') === name),
    );
    this.fixture?.spec.ignore('upstreamConfig', 'gateway');
    // The cases of Consul's own tests set the time to connect in another way.
    const ofFixture = this.fixture?.spec.at('upstreamConfig').only('limits', 'passiveHealthCheck');
    const all = [...(ofFixture ? [ofFixture] : []), ...named, ...this.upstreams.map((one) => one.at('defaults'))];
    return all.reduceRight((base, one) => one.onto(base, 1), this.nothing);
  }

  /** @param above services whose split leads here: they are not split again. */
  private destination(service: string, subset: string, above: readonly string[]): Destination {
    this.visited.add(service);
    const splitter = this.entry('service-splitter', service);
    const splits = subset === '' && !above.includes(service) ? splitter.items('splits') : [];
    if (splits.length === 0) return { isSplit: false, targets: [this.resolved(service, subset, [])] };
    const targets = splits.flatMap((split) => {
      const to = split.text('service') || service;
      const inner = this.destination(to, split.text('serviceSubset'), [...above, service]);
      const weight = Math.fround(split.number('weight') ?? 0);
      return inner.targets.map((one) => ({ ...one, weight: Math.fround((weight * one.weight) / 100) }));
    });
    return { isSplit: true, targets };
  }

  private resolved(service: string, subset: string, seen: readonly string[]): Target {
    this.visited.add(service);
    const resolver = this.entry('service-resolver', service);
    const redirect = resolver.at('redirect');
    refuseElsewhere(redirect);
    const next = redirect.text('service') || service;
    if (next !== service && !seen.includes(service))
      return this.resolved(next, redirect.text('serviceSubset'), [...seen, service]);
    const wanted = redirect.text('serviceSubset') || subset || resolver.text('defaultSubset');
    return { service, subset: wanted, resolver, weight: 100 };
  }

  private action({ isSplit, targets }: Destination): Draft {
    const clusters = targets.map((one): Made => ({
      name: this.cluster(one),
      weight: Math.trunc(Math.fround(one.weight * 100)),
    }));
    // Other policies hash nothing.
    const balanced = targets.find(({ resolver }) => HASHED.includes(resolver.text('loadBalancer.policy')));
    const hash = balanced?.resolver.items('loadBalancer.hashPolicies').map((one) => mapped(one, TABLES.hash)) ?? [];
    return {
      ...(isSplit ? { weighted_clusters: { clusters, total_weight: 10_000 } } : { cluster: this.cluster(targets[0]) }),
      ...(hash.length > 0 && { hash_policy: hash }),
    };
  }

  /** @returns the name of the cluster of a target, made once. */
  private cluster(target: Target | undefined): string {
    if (target === undefined) return '';
    const { service, subset, resolver } = target;
    const domain = this.fixture === undefined ? '' : OBJECTS.consulFixture.domain;
    const name = `${subset === '' ? '' : `${subset}.`}${service}.default.dc1${domain}`;
    if (this.clusters.has(name)) return name;
    this.clusters.add(name);
    const failovers = Object.fromEntries(resolver.entries('failover'));
    const failover = own(failovers, subset) ?? own(failovers, '*');
    if (failover === undefined) {
      this.plainCluster(name, target, resolver);
      return name;
    }
    const others = (failover.has('targets') ? failover.items('targets') : [failover]).map((one) => {
      refuseElsewhere(one);
      return this.resolved(one.text('service') || service, one.text('serviceSubset'), []);
    });
    const names = [target, ...others].map((one, index) => {
      const inner = `failover-target~${index}~${name}`;
      this.plainCluster(inner, one, resolver);
      return inner;
    });
    const { connect_timeout } = this.settings(resolver);
    const config = typed('envoy.extensions.clusters.aggregate.v3.ClusterConfig', { clusters: names });
    const type = { name: 'envoy.clusters.aggregate', typed_config: config };
    this.made.addCluster(resolver.span, { name, connect_timeout, lb_policy: 'CLUSTER_PROVIDED', cluster_type: type });
    return name;
  }

  private settings(resolver: Part): Draft {
    return { ...mapped(resolver, TABLES.cluster), ...mapped(this.upstream, TABLES.upstream) };
  }

  /** @param balancing the resolver that says how: that of the service which fails over. */
  private plainCluster(name: string, { service, subset, resolver }: Target, balancing: Part): void {
    const both = balancing.only('loadBalancer').onto(resolver.only('connectTimeout'), 1);
    const message = { name, ...this.settings(both), ...(this.isHttp2 && { http2_protocol_options: {} }) };
    const filter = resolver.entries('subsets').find(([key]) => key === subset)?.[1];
    const found = this.instances.filter((one) => one.service === service && this.isIn(one, filter));
    // Without any, who they are is not known: they are made up.
    const endpoints = found.length > 0 ? [localityEndpoints(undefined, found)] : undefined;
    this.made.addDiscovered(resolver.span, message, endpoints);
  }

  /** Whether an instance is of a subset. The conditions that people write are read; others are refused. */
  private isIn({ health, meta }: Instance, subset: Part | undefined): boolean {
    if (subset?.isTrue('onlyPassing') === true && health !== undefined) return false;
    const text = subset?.text('filter') ?? '';
    if (text === '' || this.fixture !== undefined) return true;
    const [, key, sign, value] = /^\s*Service\.Meta\.([\w-]+)\s*(==|!=)\s*"?([^"\s]*)"?\s*$/.exec(text) ?? [];
    if (key === undefined) subset?.at('filter').refuse('filter', { text });
    return key !== undefined && (meta[key] === value) === (sign === '==');
  }
}

const isOfUpstreams = (object: KubeObject): boolean =>
  entryKind(object) === 'service-defaults' && object.spec.has('upstreamConfig');

/** Other datacenters and peers are reached through gateways, of whose health only the catalog knows. */
function refuseElsewhere(part: Part): void {
  for (const name of ['datacenter', 'datacenters', 'peer', 'samenessGroup'])
    if (part.has(name) && part.text(name) !== 'dc1') part.at(name).refuse('elsewhere');
}

/** Of a test of Consul's own, the instances that it has. */
function instancesOf({ spec, title }: KubeObject): readonly Instance[] {
  const isTriggered = spec.text('variation').endsWith('-triggered');
  return Object.entries(OBJECTS.consulFixture.instances).flatMap(([service, addresses]) => {
    const health = service === 'db' && isTriggered ? ('UNHEALTHY' as const) : undefined;
    return addresses.map((address) => ({ span: title.span, service, address, port: 8080, health, meta: {} }));
  });
}

/** The answers of `/v1/health/service/NAME`: the instances of services, and their health. */
const catalogOf = ({ kind, spec }: KubeObject): readonly Instance[] =>
  (kind === 'instances' ? spec.items() : []).map((one) => {
    const service = one.at('service');
    const statuses = one.texts('checks.status');
    const weight = service.at(statuses.includes('warning') ? 'weights.warning' : 'weights.passing');
    return {
      span: one.span,
      service: service.text('service'),
      address: service.text('address') || one.text('node.address'),
      port: service.at('port').node ?? 0,
      weight: weight.node ?? 1,
      health: statuses.includes('critical') ? 'UNHEALTHY' : undefined,
      meta: service.table('meta'),
    };
  });

function retriesOf(to: Part): Draft | undefined {
  const codes = to.has('retryOnStatusCodes') ? ['retriable-status-codes'] : [];
  const connect = to.isTrue('retryOnConnectFailure') ? ['connect-failure'] : [];
  const conditions = [...new Set([...to.texts('retryOn'), ...connect, ...codes])];
  const policy = mappedIfAny(to, TABLES.retry);
  return conditions.length === 0 ? policy : { ...policy, retry_on: conditions.join(',') };
}
