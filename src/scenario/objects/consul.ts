import type { Span } from '../../config/reader/spans.js';
import { own } from '../../core/own.js';
import { OBJECTS } from './generated/objects.js';
import { mapped, mappedIfAny } from './mapping.js';
import { type Draft, type Made, nodeFrom, type Part } from './part.js';
import {
  addConnections,
  addDiscovered,
  type KubeObject,
  lbEndpoint,
  type MadeResources,
  PLAIN_ENDPOINT,
  type Reports,
  typed,
} from './services.js';

const TABLES = OBJECTS.consul;

/** A service, or a subset of one, in the datacenter of the proxy. */
interface Target {
  readonly service: string;
  readonly subset: string;
}

interface Instance {
  readonly span: Span;
  readonly service: string;
  readonly address: string;
  readonly port: number | Part;
  readonly weight: number | Part;
  readonly isHealthy: boolean;
  readonly meta: Readonly<Record<string, string>>;
}

/** A step of the way from a service to targets: one of each, or shares of several. */
type Step =
  | { readonly kind: 'target'; readonly target: Target; readonly resolver: Part }
  | {
      readonly kind: 'split';
      readonly splits: readonly { readonly weight: number; readonly step: Step & { readonly kind: 'target' } }[];
    };

/** What Consul makes of the entries of a datacenter, for a proxy whose upstreams they are. */
export function consulResources(objects: readonly KubeObject[], nothing: Part, reports: Reports): MadeResources {
  const made: MadeResources = { clusters: [], endpoints: [], routes: [], listeners: [] };
  new Chains(objects, nothing, reports, made).run();
  return made;
}

/** `service-resolver` of `ServiceResolver`, too. */
export function entryKind(kind: string): string {
  return kind.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
}

class Chains {
  private readonly entries: ReadonlyMap<string, KubeObject>;
  private readonly instances: readonly Instance[];
  private readonly fixture: KubeObject | undefined;
  private readonly visited = new Set<string>();
  private readonly clusters = new Set<string>();
  /** The upstream whose chain is made. */
  private asked = '';
  /** What the service that asks says of its upstreams. */
  private readonly upstreams: readonly Part[];

  constructor(
    private readonly objects: readonly KubeObject[],
    private readonly nothing: Part,
    private readonly reports: Reports,
    private readonly made: MadeResources,
  ) {
    this.entries = new Map(objects.map((one) => [`${entryKind(one.kind)} ${one.name}`, one]));
    this.fixture = objects.find(({ kind }) => kind === 'fixture');
    this.instances = [...catalogOf(objects), ...this.fixtures()];
    this.upstreams = objects
      .filter(({ kind }) => entryKind(kind) === 'service-defaults')
      .map(({ spec }) => spec.at('upstreamConfig'))
      .filter(({ isThere }) => isThere);
  }

  run(): void {
    const kinds = ['service-router', 'service-splitter', 'service-resolver', 'service-defaults', 'instances'];
    const names = kinds.flatMap((kind) =>
      this.objects
        .filter((one) => entryKind(one.kind) === kind && !one.spec.at('upstreamConfig').isThere)
        .map(({ name }) => name),
    );
    for (const name of [...(this.fixture === undefined ? [] : ['db']), ...names])
      if (!this.visited.has(name)) this.chain(name);
    for (const { spec } of this.objects)
      spec.ignore('meshGateway', 'fixtureProvides', 'meta', 'expose', 'namespace', 'partition');
  }

  private entry(kind: string, name: string): Part {
    return this.entries.get(`${kind} ${name}`)?.spec ?? this.nothing;
  }

  private span(part: Part): Span {
    return part.spanOr(this.objects[0]?.span ?? { start: 0, end: 0 });
  }

  private chain(name: string): void {
    const protocol =
      this.entry('service-defaults', name).at('protocol').text ??
      this.entry('proxy-defaults', 'global').at('config.protocol').text ??
      'tcp';
    const isHttp = ['http', 'http2', 'grpc'].includes(protocol.toLowerCase());
    this.visited.add(name);
    this.asked = name;
    const router = this.entry('service-router', name);
    const isHttp2 = protocol === 'http2' || protocol === 'grpc';
    const routes = router.at('routes').items.map((route): Made => {
      const to = route.at('destination');
      to.ignore('prefixRewrite', 'requestHeaders', 'responseHeaders', 'namespace', 'partition');
      const service = to.at('service').text ?? name;
      const action = this.action(this.step(service, to.at('serviceSubset').text, service === name), isHttp2);
      const retries = retriesOf(to);
      return {
        match: matchOf(route.at('match.http')),
        route: { ...action, ...mapped(to, TABLES.destination), ...(retries && { retry_policy: retries }) },
      };
    });
    const step = this.step(name, undefined, false);
    const action = this.action(step, isHttp2);
    if (!isHttp) {
      const target = 'cluster' in action ? { cluster: action['cluster'] } : action;
      addConnections(this.made, this.span(step.kind === 'target' ? step.resolver : router), name, target);
      return;
    }
    const timeout =
      step.kind === 'target' ? mapped(step.resolver, { fields: { requestTimeout: 'lasting timeout' } }) : {};
    const all = [...routes, { match: { prefix: '/' }, route: { ...action, ...timeout } }];
    const span = this.span(router);
    this.made.routes.push(nodeFrom({ name, virtual_hosts: [{ name, domains: ['*'], routes: all }] }, span));
  }

  /** @param isResolved neither routes nor shares are followed again. */
  private step(service: string, subset: string | undefined, isResolved: boolean): Step {
    this.visited.add(service);
    const splitter = subset === undefined && !isResolved ? this.entry('service-splitter', service) : this.nothing;
    if (!splitter.at('splits').isThere) return this.resolved(service, subset);
    const splits = splitter.at('splits').items.flatMap((split) => {
      const weight = Math.fround(split.at('weight').number ?? 0);
      const to = split.at('service').text ?? service;
      split.ignore('requestHeaders', 'responseHeaders');
      const step = this.step(to, split.at('serviceSubset').text, to === service);
      if (step.kind === 'target') return [{ weight, step }];
      return step.splits.map((one) => ({ weight: Math.fround((weight * one.weight) / 100), step: one.step }));
    });
    return { kind: 'split', splits };
  }

  private resolved(
    service: string,
    subset: string | undefined,
    seen: readonly string[] = [],
  ): Step & { readonly kind: 'target' } {
    this.visited.add(service);
    const resolver = this.entry('service-resolver', service);
    const redirect = resolver.at('redirect');
    this.refuseElsewhere(redirect);
    const next = redirect.at('service').text ?? service;
    const isFollowed = redirect.isThere && !seen.includes(service);
    if (isFollowed && next !== service)
      return this.resolved(next, redirect.at('serviceSubset').text, [...seen, service]);
    const wanted = subset ?? redirect.at('serviceSubset').text ?? resolver.at('defaultSubset').text ?? '';
    return { kind: 'target', target: { service, subset: wanted }, resolver };
  }

  /** Other datacenters and peers are reached through gateways, of whose health only the catalog knows. */
  private refuseElsewhere(part: Part): void {
    for (const name of ['datacenter', 'datacenters', 'peer', 'samenessGroup']) {
      const where = part.at(name);
      if (where.isThere && where.text !== 'dc1') this.reports.refuse(this.span(where), 'elsewhere');
    }
  }

  private action(step: Step, isHttp2: boolean): Draft {
    if (step.kind === 'target') return { cluster: this.cluster(step, isHttp2), ...hashOf(step.resolver) };
    const clusters = step.splits.map((one): Made => ({
      name: this.cluster(one.step, isHttp2),
      weight: Math.trunc(Math.fround(one.weight * 100)),
    }));
    const first = step.splits.find((one) => one.step.resolver.at('loadBalancer').isThere);
    return { weighted_clusters: { clusters, total_weight: 10_000 }, ...hashOf(first?.step.resolver ?? this.nothing) };
  }

  private nameOf({ service, subset }: Target): string {
    const domain = this.fixture === undefined ? '' : OBJECTS.consulFixture.domain;
    return `${subset === '' ? '' : `${subset}.`}${service}.default.dc1${domain}`;
  }

  /** @returns the name of the cluster of a target, made once. */
  private cluster({ target, resolver }: Step & { readonly kind: 'target' }, isHttp2: boolean): string {
    const name = this.nameOf(target);
    if (this.clusters.has(name)) return name;
    this.clusters.add(name);
    const { subset } = target;
    const failover =
      resolver.at('failover').entries.find(([key]) => key === subset) ??
      resolver.at('failover').entries.find(([key]) => key === '*');
    if (failover === undefined) {
      this.plainCluster(name, target, resolver, isHttp2);
      return name;
    }
    const [, other] = failover;
    const written = other.at('targets').items;
    const targets = (written.length > 0 ? written : [other]).map((one) => {
      this.refuseElsewhere(one);
      return this.resolved(one.at('service').text ?? target.service, one.at('serviceSubset').text).target;
    });
    const names = [target, ...targets].map((one, index) => {
      const own = `failover-target~${index}~${name}`;
      this.plainCluster(
        own,
        one,
        index === 0 ? resolver : this.entry('service-resolver', one.service),
        isHttp2,
        resolver,
      );
      return own;
    });
    const timeout = this.timeoutOf(resolver)['connect_timeout'];
    const config = typed('envoy.extensions.clusters.aggregate.v3.ClusterConfig', { clusters: names });
    const type = { name: 'envoy.clusters.aggregate', typed_config: config };
    const message = { name, connect_timeout: timeout, lb_policy: 'CLUSTER_PROVIDED', cluster_type: type };
    this.made.clusters.push(nodeFrom(message, this.span(resolver)));
    return name;
  }

  private plainCluster(name: string, target: Target, resolver: Part, isHttp2: boolean, balancing = resolver): void {
    const lb = balancing.at('loadBalancer');
    const settings = this.settingsOf();
    const limits = settings.map((one) => mappedIfAny(one, TABLES.limits)).find((one) => one !== undefined);
    const passive = settings.map((one) => mappedIfAny(one, TABLES.passive)).find((one) => one !== undefined);
    const message: Draft = { name, ...this.timeoutOf(resolver), ...mapped(lb, TABLES.policy) };
    if (limits !== undefined) message['circuit_breakers'] = { thresholds: [limits] };
    if (passive !== undefined) message['outlier_detection'] = passive;
    if (isHttp2) message['http2_protocol_options'] = {};
    const filter = resolver.at('subsets').entries.find(([key]) => key === target.subset)?.[1];
    const found = this.instances.filter((one) => one.service === target.service && this.isIn(one, filter));
    const hosts = found.map((one) =>
      lbEndpoint({ ...PLAIN_ENDPOINT, ...one, ...(one.isHealthy ? {} : { health: 'UNHEALTHY' }) }),
    );
    // Without any, who they are is not known: they are made up.
    addDiscovered(this.made, this.span(resolver), message, hosts.length === 0 ? undefined : [{ lb_endpoints: hosts }]);
  }

  /** What is always there, with the time to connect: the upstream's, or the resolver's. */
  private timeoutOf(resolver: Part): Draft {
    const own = this.fixture === undefined ? this.settingsOf().map((one) => mapped(one, TABLES.upstream)) : [];
    return { ...mapped(resolver, TABLES.cluster), ...own.find((one) => 'connect_timeout' in one) };
  }

  /** What holds for the upstream, the nearest first. */
  private settingsOf(): readonly Part[] {
    const named = this.upstreams.flatMap((one) =>
      one.at('overrides').items.filter((other) => other.at('name').text === this.asked),
    );
    const ofFixture = this.fixture === undefined ? [] : [this.fixture.whole.at('upstreamConfig')];
    for (const one of ofFixture) one.ignore();
    return [...ofFixture, ...named, ...this.upstreams.map((one) => one.at('defaults'))];
  }

  /** Whether an instance is of a subset. The conditions that people write are read; others are refused. */
  private isIn({ isHealthy, meta }: Instance, subset: Part | undefined): boolean {
    if (subset === undefined) return true;
    if (subset.at('onlyPassing').isTrue && !isHealthy) return false;
    const filter = subset.at('filter');
    const text = filter.text ?? '';
    if (text === '' || this.fixture !== undefined) return true;
    const [, key = '', sign, value] = /^\s*Service\.Meta\.([\w-]+)\s*(==|!=)\s*"?([^"\s]*)"?\s*$/.exec(text) ?? [];
    if (key === '') {
      this.reports.refuse(this.span(filter), 'filter', { text });
      return false;
    }
    return (meta[key] === value) === (sign === '==');
  }

  /** Of a test of Consul's own, the instances that it has. */
  private fixtures(): readonly Instance[] {
    const { fixture } = this;
    if (fixture === undefined) return [];
    fixture.whole.ignore('gateway');
    const isTriggered = (fixture.whole.at('variation').text ?? '').endsWith('-triggered');
    return Object.entries(OBJECTS.consulFixture.instances).flatMap(([service, addresses]) =>
      addresses.map((address) => ({
        span: fixture.span,
        service,
        address,
        port: 8080,
        weight: 1,
        isHealthy: service !== 'db' || !isTriggered,
        meta: {},
      })),
    );
  }
}

/** The answers of `/v1/health/service/NAME`: the instances of services, and their health. */
function* catalogOf(objects: readonly KubeObject[]): Iterable<Instance> {
  for (const { whole, span } of objects.filter(({ kind }) => kind === 'instances')) {
    for (const one of whole.items) {
      const service = one.at('service');
      one.ignore('node', 'checks', 'service');
      const statuses = one.at('checks').items.map((check) => check.at('status').text);
      const isWarning = statuses.includes('warning');
      const weight = service.at(isWarning ? 'weights.warning' : 'weights.passing');
      yield {
        span: one.spanOr(span),
        service: service.at('service').text ?? '',
        address: service.at('address').text ?? one.at('node.address').text ?? '',
        port: service.at('port'),
        weight: weight.isThere ? weight : 1,
        isHealthy: !statuses.includes('critical'),
        meta: service.at('meta').table,
      };
    }
  }
}

function hashOf(resolver: Part): Draft {
  const policies = resolver.at('loadBalancer.hashPolicies').items.map((one): Made => {
    if (one.at('sourceIP').isTrue) return { ...mapped(one, TABLES.hash), connection_properties: { source_ip: true } };
    const field = own(OBJECTS.consulHashed, one.at('field').text ?? '') ?? '';
    const base: Draft = mapped(one, { fields: { ...TABLES.hash.fields, ...(field !== '' && { fieldValue: field }) } });
    const isSession = one.at('cookieConfig.session').isTrue;
    return isSession ? { ...base, cookie: { name: one.at('fieldValue').node, ttl: '0s' } } : base;
  });
  return policies.length === 0 ? {} : { hash_policy: policies };
}

function matchOf(http: Part): Made {
  const match = mapped(http, TABLES.match);
  const hasPath = ['path', 'prefix', 'safe_regex'].some((name) => name in match);
  const methods = http.at('methods').texts.join('|');
  const method = methods === '' ? [] : [{ name: ':method', safe_regex_match: { regex: methods } }];
  const headers = [...http.at('header').items.map((one): Made => mapped(one, TABLES.header)), ...method];
  return { ...(!hasPath && { prefix: '/' }), ...match, ...(headers.length > 0 && { headers }) };
}

function retriesOf(to: Part): Draft | undefined {
  const codes = to.at('retryOnStatusCodes');
  const conditions = [...to.at('retryOn').texts];
  if (to.at('retryOnConnectFailure').isTrue) conditions.push('connect-failure');
  if (codes.items.length > 0) conditions.push('retriable-status-codes');
  const policy = mapped(to, TABLES.retry);
  if (conditions.length > 0) policy['retry_on'] = [...new Set(conditions)].join(',');
  if (codes.items.length > 0) policy['retriable_status_codes'] = codes.node;
  return Object.keys(policy).length === 0 ? undefined : policy;
}
