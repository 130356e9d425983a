import type { SourceNode } from '../../config/source/document.js';
import { entryOf, sum, without, own } from '../../core/values.js';
import { Backends } from './gateway-backends.js';
import { addCluster, needsClusterEach, type Setting } from './gateway-clusters.js';
import { OBJECTS } from './generated/objects.js';
import { durationOf, mapped, percentOf, secondsOf, withDefault } from './mapping.js';
import type { Draft, Made, Part } from './part.js';
import { inOrder, isMatch, isSelected, type KubeObject, mirrorTo, Snapshot } from './services.js';

const TABLES = OBJECTS.gateway;
const CLASS = 'gateway.envoyproxy.io/gatewayclass-controller';
const ROUTES: Readonly<Record<string, readonly string[]>> = OBJECTS.gatewayRoutes;

interface Listener {
  readonly gateway: KubeObject;
  /** The gateway, or the set of listeners. */
  readonly owner: KubeObject;
  readonly name: string;
  /** `namespace/gateway/name` */
  readonly path: string;
  readonly part: Part;
}

interface Match {
  readonly match: Draft;
  /** How specific it is, as the Gateway API orders matches: the greater numbers go first. */
  readonly order: readonly number[];
}

/** Routes by host. */
type HostRoutes = Map<string, (Match & { readonly action: Draft })[]>;

/** What Envoy Gateway makes of routes and the policies that are attached to them. */
export class Gateways {
  private readonly made = new Snapshot();
  private readonly clusters = new Set<string>();
  /** Of each listener the hosts, and their routes. */
  private readonly hosts = new Map<string, HostRoutes>();
  private readonly proxy: Part = this.objects.find(({ kind }) => kind === 'EnvoyProxy')?.spec ?? this.nothing;
  private readonly backends = new Backends(this.objects, this.proxy);
  private readonly policies: readonly KubeObject[] = inOrder(this.objects, 'BackendTrafficPolicy');

  private readonly listeners: readonly Listener[] = ['Gateway', 'ListenerSet'].flatMap((kind) =>
    this.objects.filter((one) => one.kind === kind).flatMap((owner) => this.listenersOf(owner)),
  );

  constructor(
    private readonly objects: readonly KubeObject[],
    private readonly nothing: Part,
  ) {}

  run(): Snapshot {
    for (const { spec, title, name } of inOrder(this.objects, 'GatewayClass')) {
      const controller = spec.text('controllerName') || CLASS;
      if (controller !== CLASS) title.refuse('otherClass', { name, controller });
    }
    if (this.proxy.has('mergeBackends')) this.proxy.at('mergeBackends').refuse('mergedBackends');
    for (const kind of Object.keys(ROUTES)) for (const route of inOrder(this.objects, kind)) this.route(route);
    for (const [path, hosts] of this.hosts) {
      const virtual = [...hosts].map(([domain, routes]) => ({
        name: `${path}/${domain.replaceAll('.', '_')}`,
        domains: [domain],
        routes: routes.sort(bySpecificity).map(({ match, action }) => ({ match, ...action })),
      }));
      this.made.addRoutes(this.listeners[0]?.owner.title.span ?? { start: 0, end: 0 }, path, virtual);
    }
    return this.made;
  }

  private listenersOf(owner: KubeObject): readonly Listener[] {
    const { spec, namespace, kind, name: ownName } = owner;
    const parent = spec.table('parentRef');
    const above = this.backends.find('Gateway', parent['namespace'] ?? namespace, parent['name'] ?? '');
    const gateway = kind === 'Gateway' ? owner : above;
    if (gateway === undefined) return [];
    const set = gateway === owner ? '' : `${namespace}/${ownName}/`;
    return spec.items('listeners').map((part) => {
      const name = part.text('name');
      return { gateway, owner, name, path: `${gateway.namespace}/${gateway.name}/${set}${name}`, part };
    });
  }

  /** The listeners that take a route, in their order. */
  private listenersFor(route: KubeObject): readonly Listener[] {
    return route.spec.items('parentRefs').flatMap((ref) => {
      const [kind, namespace] = [ref.text('kind') || 'Gateway', ref.text('namespace') || route.namespace];
      const [name, section, port] = [ref.text('name'), ref.text('sectionName'), ref.text('port')];
      return this.listeners.filter(({ owner, part, name: own }) => {
        const isOwner = owner.kind === kind && owner.name === name && owner.namespace === namespace;
        const isPart = ['', own].includes(section) && ['', part.text('port')].includes(port);
        return isOwner && isPart && this.takes(owner, part, route);
      });
    });
  }

  private takes(owner: KubeObject, listener: Part, { namespace, kind }: KubeObject): boolean {
    if (own(ROUTES, kind)?.includes(listener.text('protocol')) !== true) return false;
    const kinds = listener.texts('allowedRoutes.kinds.kind');
    if (kinds.length > 0 && !kinds.includes(kind)) return false;
    const from = listener.text('allowedRoutes.namespaces.from') || 'Same';
    if (from !== 'Selector') return from === 'All' || owner.namespace === namespace;
    const labels = this.backends.find('Namespace', 'default', namespace)?.labels;
    return isSelected(listener.table('allowedRoutes.namespaces.selector.matchLabels'), labels);
  }

  private route(route: KubeObject): void {
    const { kind, name, namespace, spec, title } = route;
    const listeners = this.listenersFor(route);
    if (listeners.length === 0) {
      title.warn('noListener', { kind, name });
      spec.ignore('hostnames', 'rules');
    }
    const prefix = `${kind.toLowerCase()}/${namespace}/${name}/rule`;
    for (const listener of listeners) {
      if (['HTTPRoute', 'GRPCRoute'].includes(kind)) this.httpRoute(route, listener, prefix);
      else this.plainRoute(route, listener, `${prefix}/-1`);
    }
  }

  /** All rules of a route of connections are one destination. */
  private plainRoute(route: KubeObject, listener: Listener, name: string): void {
    const policy = this.policyFor(route, '', listener, '*') ?? this.nothing;
    const settings = this.backends.all(route.spec.items('rules.backendRefs'), route, name, policy);
    const clusters = this.destination(name, settings, policy);
    if (route.kind === 'UDPRoute') return;
    const isHashed = policy.text('loadBalancer.consistentHash.type') === 'SourceIP';
    const hash = isHashed ? { hash_policy: [{ source_ip: {} }] } : {};
    this.made.addConnections(route.title.span, `${listener.path}/${route.name}`, { ...clusters, ...hash });
  }

  private httpRoute(route: KubeObject, listener: Listener, prefix: string): void {
    const served = listener.part.text('hostname') || '*';
    const wanted = route.spec.texts('hostnames').flatMap((host) => narrower(served, host));
    const hosts = route.spec.has('hostnames') ? wanted : [served];
    const [first] = hosts;
    if (first === undefined) return;
    for (const [index, rule] of route.spec.items('rules').entries()) {
      const action = this.action(route, rule, `${prefix}/${index}`, listener, first);
      if (action === undefined) continue;
      const byHost = entryOf(this.hosts, listener.path, (): HostRoutes => new Map());
      for (const match of matchesOf(rule, route.kind))
        for (const host of hosts) entryOf(byHost, host, () => []).push({ ...match, action });
    }
  }

  /** @returns undefined: the rule is not accepted, and makes nothing. */
  private action(route: KubeObject, rule: Part, name: string, listener: Listener, host: string): Draft | undefined {
    const filters = rule.items('filters').map((one, index) => ({ type: one.text('type'), one, index }));
    const mirrors = filters.filter(({ type }) => type === 'RequestMirror');
    const isDirect = filters.some(({ type, one }) => type === 'ExtensionRef' && this.answers(one, route));
    if (isDirect || filters.some(({ type }) => type === 'RequestRedirect')) {
      rule.ignore('filters', 'backendRefs', 'timeouts', 'retry');
      if (mirrors.length > 0) return undefined;
      return isDirect ? { direct_response: { status: 500 } } : { redirect: { https_redirect: true } };
    }
    const policy = this.policyFor(route, rule.text('name'), listener, host);
    const used = policy ?? this.nothing;
    const settings = this.backends.all(rule.items('backendRefs'), route, name, used);
    if (!settings.some(hasHosts)) {
      const isEmpty = settings.length > 0 && settings.every(({ type }) => type !== undefined);
      return { direct_response: { status: isEmpty ? 503 : 500 } };
    }
    const clusters = this.destination(name, settings, used);
    const copies = mirrors.flatMap(({ one, index }) => this.mirror(one, `${name}-mirror-${index}`, route, used));
    if (policy === undefined) return { direct_response: { status: 500 } };
    const own = rule.has('retry') ? { retry_policy: mapped(rule, TABLES.ruleRetry) } : {};
    const copied = copies.length > 0 ? { request_mirror_policies: copies } : {};
    return { route: { ...clusters, ...mapped(policy, TABLES.route), ...timeoutOf(rule, policy), ...own, ...copied } };
  }

  /** Whether a filter in an object of its own answers in place of backends; it is not there: with an error. */
  private answers(filter: Part, { namespace }: KubeObject): boolean {
    const found = this.backends.find('HTTPRouteFilter', namespace, filter.text('extensionRef.name'));
    return found === undefined || found.spec.has('directResponse');
  }

  private mirror(filter: Part, name: string, route: KubeObject, policy: Part): readonly Made[] {
    const part = filter.at('requestMirror');
    const setting = this.backends.one(part.at('backendRef'), route, `${name}/backend/-1`, policy);
    if (setting.type === undefined) return [];
    this.add(name, [setting], policy);
    const percent = percentOf(part.at('fraction')) ?? part.number('percent');
    return mirrorTo(name, percent, percent === undefined ? 'HUNDRED' : 'MILLION');
  }

  /** The clusters of a rule, and how its requests are divided among them. */
  private destination(name: string, settings: readonly Setting[], policy: Part): Draft {
    if (!needsClusterEach(settings, policy)) {
      this.add(name, settings, policy);
      return { cluster: name };
    }
    for (const one of settings) this.add(one.name, [one], policy);
    const found = settings.filter(hasHosts);
    const lost = sum(without(settings, found).map(({ weight }) => weight));
    const clusters = found.map(({ name: own, weight }) => ({ name: own, weight }));
    if (lost > 0) clusters.unshift({ name: 'invalid-backend-cluster', weight: lost });
    return { weighted_clusters: { clusters } };
  }

  private add(name: string, settings: readonly Setting[], policy: Part): void {
    if (!this.clusters.has(name)) addCluster(name, settings, policy, this.proxy, this.made);
    this.clusters.add(name);
  }

  /**
   * That of the rule, the route, its listener or its gateway: the nearest, or it merged into what is above it; with what the
   * API server, the route and the proxy fill in.
   * @returns undefined: it is not accepted.
   */
  private policyFor(route: KubeObject, rule: string, listener: Listener, host: string): Part | undefined {
    const { owner, gateway, name } = listener;
    const near = this.target(route, rule) ?? this.target(route, '');
    const above = this.target(owner, name) ?? this.target(owner, '') ?? this.target(gateway, '');
    const nearest = near ?? above;
    if (nearest === undefined) return this.nothing;
    const isMerged = near !== undefined && above !== undefined && near.spec.has('mergeType');
    const policy = isMerged ? this.filled(near, host).onto(this.filled(above, host)) : this.filled(nearest, host);
    const [base, most] = ['baseInterval', 'maxInterval'].map((field) =>
      secondsOf(policy.text(`retry.perRetry.backOff.${field}`)),
    );
    if (base !== 0 && most !== 0 && (base ?? 0) <= (most ?? Infinity)) return policy;
    nearest.title.warn('backOff', { name: nearest.name });
    return undefined;
  }

  private filled({ spec }: KubeObject, host: string): Part {
    const log = this.proxy.at('telemetry.healthCheckLog').node;
    const defaults: readonly (readonly [string, string | number | boolean | SourceNode])[] = [
      ...Object.entries(OBJECTS.gatewayDefaults),
      ['healthCheck.active.http.hostname', host],
      ...(log === undefined ? [] : [['healthCheck.active.healthCheckLog', log] as const]),
    ];
    const { node } = spec;
    return spec.as(node && defaults.reduce((all, [path, value]) => withDefault(all, path.split('.'), value), node));
  }

  /** The policy for an object, or for a section of it. */
  private target({ kind, name, namespace, labels }: KubeObject, section: string): KubeObject | undefined {
    return this.policies.find(({ spec, namespace: own }) => {
      const refs = [...spec.items('targetRefs'), ...spec.items('targetRef')];
      const selectors = section === '' ? spec.items('targetSelectors') : [];
      const isNamed = (one: Part): boolean => one.text('name') === name && one.text('sectionName') === section;
      const isChosen = (one: Part): boolean => isSelected(one.table('matchLabels'), labels);
      const meant = [...refs.filter(isNamed), ...selectors.filter(isChosen)];
      return own === namespace && meant.some((one) => one.text('kind') === kind);
    });
  }
}

const hasHosts = ({ endpoints }: Setting): boolean => endpoints.length > 0;

/** The host that both mean. */
function narrower(served: string, host: string): readonly string[] {
  if (isMatch(served, host)) return [host];
  return isMatch(host, served) ? [served] : [];
}

function bySpecificity({ order: one }: Match, { order: other }: Match): number {
  const index = one.findIndex((value, at) => value !== other[at]);
  return index < 0 ? 0 : (other[index] ?? 0) - (one[index] ?? 0);
}

function matchesOf(rule: Part, kind: string): readonly Match[] {
  const matches = rule.items('matches');
  if (matches.length === 0) return [{ match: { prefix: '/' }, order: [0, 1, 0, 0, 0] }];
  return matches.map((one) => {
    const isGrpc = kind === 'GRPCRoute';
    const match = isGrpc
      ? { ...mapped(one, TABLES.grpcMatch), ...methodOf(one.at('method')) }
      : mapped(one, TABLES.match);
    const path = one.text('path.value') || one.text('method.service') || '/';
    const [method, headers] = [Number(!isGrpc && one.has('method')), one.items('headers').length];
    const order = [Number('path' in match), path.length, method, headers + method, one.items('queryParams').length];
    return { match, order };
  });
}

function methodOf(method: Part): Draft {
  const [service, name] = [method.text('service'), method.text('method')];
  if (service + name === '') return { prefix: '/' };
  if (method.text('type') === 'RegularExpression')
    return { safe_regex: { regex: `/${service || '.+'}/${name || '.+'}` } };
  if (service === '') return { safe_regex: { regex: `/.+/${name}` } };
  return name === '' ? { path_separated_prefix: `/${service}` } : { path: `/${service}/${name}` };
}

/** That of the rule goes before that of the policy; a stream may be idle for an hour, or as long as it may take. */
function timeoutOf(rule: Part, policy: Part): Draft {
  const isEach = rule.has('timeouts.backendRequest') && !rule.has('retry');
  const own = rule.at(isEach ? 'timeouts.backendRequest' : 'timeouts.request');
  const idle = policy.at('timeout.http.streamIdleTimeout');
  const seconds = secondsOf(own.text() || policy.text('timeout.http.requestTimeout'));
  const most = seconds === undefined ? undefined : `${seconds === 0 ? 0 : Math.max(3600, seconds)}s`;
  const timeout = own.node === undefined ? {} : { timeout: durationOf(own) };
  return { ...timeout, idle_timeout: idle.node === undefined ? most : durationOf(idle) };
}
