import type { SourceNode } from '../../config/reader.js';
import { own } from '../../core/own.js';
import { OBJECTS } from './generated/objects.js';
import { addCluster, needsClusterEach, type Setting, type Traffic } from './gateway-clusters.js';
import { durationOf, mapped, secondsOf, withDefaults } from './mapping.js';
import { type Draft, type Made, merged, nodeFrom, type Part } from './part.js';
import {
  addConnections,
  type Endpoint,
  inOrder,
  isMatch,
  type KubeObject,
  type MadeResources,
  PLAIN_ENDPOINT as PLAIN,
  PREVIOUS_HOSTS,
  previousPriorities,
  type Reports,
  Services,
} from './services.js';

const TABLES = OBJECTS.gateway;
const CLASS = 'gateway.envoyproxy.io/gatewayclass-controller';

/** What Envoy Gateway makes of routes and the policies that are attached to them. */
export function gatewayResources(objects: readonly KubeObject[], reports: Reports): MadeResources {
  const made: MadeResources = { clusters: [], endpoints: [], routes: [], listeners: [] };
  new Translator(objects, reports, made).run();
  return made;
}

interface Listener {
  readonly gateway: KubeObject;
  /** The gateway, or the set of listeners. */
  readonly owner: KubeObject;
  readonly name: string;
  readonly part: Part;
}

const ROUTES: Readonly<Record<string, readonly string[]>> = OBJECTS.gatewayRoutes;

class Translator {
  private readonly kube: Services;
  private readonly clusters = new Set<string>();
  private readonly hosts = new Map<
    string,
    { readonly domain: string; readonly routes: (Match & { readonly action: Draft })[]; readonly listener: string }
  >();
  private readonly proxy: KubeObject | undefined;
  private readonly policies: readonly KubeObject[];
  private readonly listeners: readonly Listener[];

  constructor(
    private readonly objects: readonly KubeObject[],
    private readonly reports: Reports,
    private readonly made: MadeResources,
  ) {
    this.kube = new Services(objects);
    this.proxy = this.of('EnvoyProxy')[0];
    this.policies = inOrder(this.of('BackendTrafficPolicy'));
    this.listeners = [...this.of('Gateway'), ...this.of('ListenerSet')].flatMap((owner) => this.listenersOf(owner));
  }

  run(): void {
    for (const one of this.of('GatewayClass')) {
      const controller = one.spec.at('controllerName').text ?? CLASS;
      if (controller !== CLASS) this.reports.refuse(one.span, 'otherClass', { name: one.name, controller });
    }
    const merges = this.proxy?.spec.at('mergeBackends');
    if (merges?.isThere === true) this.reports.refuse(merges.spanOr({ start: 0, end: 0 }), 'mergedBackends');
    for (const kind of Object.keys(ROUTES)) for (const route of inOrder(this.of(kind))) this.route(route);
    const byListener = new Map<string, Made[]>();
    const span = this.listeners[0]?.owner.span ?? { start: 0, end: 0 };
    for (const [name, { domain, routes, listener }] of this.hosts) {
      byListener.set(listener, [
        ...(byListener.get(listener) ?? []),
        {
          name,
          domains: [domain],
          routes: [...routes].sort(bySpecificity).map(({ message, action }) => ({ match: message, ...action })),
        },
      ]);
    }
    for (const [name, hosts] of byListener) this.made.routes.push(nodeFrom({ name, virtual_hosts: hosts }, span));
  }

  private of(kind: string): readonly KubeObject[] {
    return this.objects.filter((one) => one.kind === kind);
  }

  private find(kind: string, namespace: string, name: string): KubeObject | undefined {
    return this.objects.find((one) => one.kind === kind && one.namespace === namespace && one.name === name);
  }

  private listenersOf(owner: KubeObject): readonly Listener[] {
    owner.spec.ignore('gatewayClassName', 'allowedListeners', 'infrastructure', 'addresses');
    const parent = owner.spec.at('parentRef');
    const gateway =
      owner.kind === 'Gateway'
        ? owner
        : this.find('Gateway', parent.at('namespace').text ?? owner.namespace, parent.at('name').text ?? '');
    if (gateway === undefined) return [];
    parent.ignore('kind', 'group');
    return owner.spec.at('listeners').items.map((part) => {
      part.ignore('tls', 'port', 'allowedRoutes');
      return { gateway, owner, name: part.at('name').text ?? '', part };
    });
  }

  /** The listeners that take a route, in their order. */
  private listenersFor(route: KubeObject): readonly Listener[] {
    const protocols = own(ROUTES, route.kind) ?? [];
    return route.spec.at('parentRefs').items.flatMap((ref) => {
      ref.ignore('group');
      const kind = ref.at('kind').text ?? 'Gateway';
      const namespace = ref.at('namespace').text ?? route.namespace;
      const [name, section, port] = [ref.at('name').text, ref.at('sectionName').text, ref.at('port').text];
      return this.listeners.filter(({ owner, part, name: own }) => {
        const isMeant = owner.kind === kind && owner.name === name && owner.namespace === namespace;
        const isPart =
          (section === undefined || section === own) && (port === undefined || port === part.at('port').text);
        return (
          isMeant && isPart && protocols.includes(part.at('protocol').text ?? '') && this.allows(owner, part, route)
        );
      });
    });
  }

  private allows(owner: KubeObject, listener: Part, { namespace, kind }: KubeObject): boolean {
    const kinds = listener.at('allowedRoutes.kinds').items.map((one) => one.at('kind').text);
    if (kinds.length > 0 && !kinds.includes(kind)) return false;
    const from = listener.at('allowedRoutes.namespaces.from').text ?? 'Same';
    if (from !== 'Selector') return from === 'All' || owner.namespace === namespace;
    const labels = this.objects.find((one) => one.kind === 'Namespace' && one.name === namespace)?.labels ?? {};
    const wanted = Object.entries(listener.at('allowedRoutes.namespaces.selector.matchLabels').table);
    return wanted.every(([key, value]) => labels[key] === value);
  }

  private route(route: KubeObject): void {
    const listeners = this.listenersFor(route);
    const isHttp = own(ROUTES, route.kind)?.includes('HTTP') === true;
    if (listeners.length === 0) {
      this.reports.warn(route.span, 'noListener', { kind: route.kind, name: route.name });
      route.spec.ignore('hostnames', 'rules');
    }
    for (const listener of listeners) {
      if (isHttp) this.httpRoute(route, listener);
      else this.plainRoute(route, listener);
    }
  }

  /** All rules of a route of connections are one destination. */
  private plainRoute(route: KubeObject, listener: Listener): void {
    const name = `${route.kind.toLowerCase()}/${route.namespace}/${route.name}/rule/-1`;
    const refs = route.spec.at('rules').items.flatMap((rule) => rule.at('backendRefs').items);
    const settings = refs
      .map((ref, index) => this.settingOf(ref, route, `${name}/backend/${index}`))
      .filter(({ weight }) => weight > 0);
    const { policy } = this.policyFor(route, undefined, listener);
    const clusters = this.destination(name, settings, this.traffic(policy, '*', route));
    if (route.kind === 'UDPRoute') return;
    const isHashed = policy.at('loadBalancer.consistentHash.type').text === 'SourceIP';
    const hash = isHashed ? { hash_policy: [{ source_ip: {} }] } : {};
    addConnections(this.made, route.span, `${listenerName(listener)}/${route.name}`, { ...clusters, ...hash });
  }

  private traffic(policy: Part, hostname: string, { spec }: KubeObject): Traffic {
    const proxy = this.proxy?.spec ?? spec.at('nothing');
    return { policy, hostname, ipFamily: proxy.at('ipFamily').text, checkLog: proxy.at('telemetry.healthCheckLog') };
  }

  private httpRoute(route: KubeObject, listener: Listener): void {
    const own = listener.part.at('hostname').text ?? '*';
    const wanted = route.spec.at('hostnames').texts;
    const hosts =
      wanted.length === 0
        ? [own]
        : wanted.flatMap((host) => (isMatch(own, host) ? [host] : isMatch(host, own) ? [own] : []));
    const [first] = hosts;
    if (first === undefined) return;
    for (const [index, rule] of route.spec.at('rules').items.entries()) {
      const name = `${route.kind.toLowerCase()}/${route.namespace}/${route.name}/rule/${index}`;
      const action = this.action(route, rule, name, listener, first);
      if (action === undefined) continue;
      for (const match of matchesOf(rule, route.kind)) {
        for (const host of hosts) {
          const key = `${listenerName(listener)}/${host.replaceAll('.', '_')}`;
          const known = this.hosts.get(key) ?? { domain: host, routes: [], listener: listenerName(listener) };
          known.routes.push({ ...match, action });
          this.hosts.set(key, known);
        }
      }
    }
  }

  /** @returns undefined: the rule is not accepted, and makes nothing. */
  private action(route: KubeObject, rule: Part, name: string, listener: Listener, hostname: string): Draft | undefined {
    rule.ignore('name', 'sessionPersistence');
    const filters = rule.at('filters').items;
    const kinds = filters.map((one) => one.at('type').text);
    const mirrors = filters.flatMap((one, index) =>
      one.at('type').text === 'RequestMirror'
        ? [{ part: one.at('requestMirror'), name: `${name}-mirror-${index}` }]
        : [],
    );
    const external = filters
      .filter((one) => one.at('type').text === 'ExtensionRef')
      .map((one) => this.find('HTTPRouteFilter', route.namespace, one.at('extensionRef.name').text ?? ''));
    const isDirect = external.some((one) => one === undefined || one.spec.at('directResponse').isThere);
    if (isDirect || kinds.includes('RequestRedirect')) {
      rule.ignore('filters', 'backendRefs', 'timeouts', 'retry');
      if (mirrors.length > 0) return undefined;
      return isDirect ? { direct_response: { status: 500 } } : { redirect: { https_redirect: true } };
    }
    const { policy, isInvalid } = this.policyFor(route, rule.at('name').text, listener);
    const refs = rule.at('backendRefs').items;
    const all = refs.map((ref, index) => this.settingOf(ref, route, `${name}/backend/${index}`));
    const settings = all.filter(({ weight }) => weight > 0);
    if (!settings.some(hasHosts)) {
      const isEmpty = settings.length > 0 && !settings.some((one) => one.isInvalid);
      return { direct_response: { status: isEmpty ? 503 : 500 } };
    }
    const traffic = this.traffic(policy, hostname, route);
    const clusters = this.destination(name, settings, traffic);
    const copies = mirrors.flatMap(({ part, name: own }) => this.mirror(part, own, route, traffic));
    if (isInvalid) return { direct_response: { status: 500 } };
    const timeout = timeoutOf(rule, policy);
    return {
      route: {
        ...clusters,
        ...mapped(policy, TABLES.route),
        ...timeout,
        ...hashPolicies(policy),
        ...retriesOf(rule, policy),
        ...(copies.length > 0 && { request_mirror_policies: copies }),
      },
    };
  }

  private mirror(part: Part, name: string, route: KubeObject, traffic: Traffic): readonly Made[] {
    const setting = this.settingOf(part.at('backendRef'), route, `${name}/backend/-1`);
    if (setting.isInvalid) return [];
    this.add(name, [setting], traffic);
    const fraction = part.at('fraction');
    const percent = fraction.isThere
      ? (100 * (fraction.at('numerator').number ?? 0)) / (fraction.at('denominator').number ?? 100)
      : part.at('percent').number;
    if (percent === 0) return [];
    const share =
      percent === undefined
        ? { numerator: 100, denominator: 'HUNDRED' }
        : { numerator: Math.trunc(percent * 10_000), denominator: 'MILLION' };
    return [{ cluster: name, runtime_fraction: { default_value: share } }];
  }

  /** The clusters of a rule, and how its requests are divided among them. */
  private destination(name: string, settings: readonly Setting[], traffic: Traffic): Draft {
    if (!needsClusterEach(settings, traffic.policy)) {
      this.add(name, settings, traffic);
      return { cluster: name };
    }
    for (const one of settings) this.add(one.name, [one], traffic);
    const [found, lost] = [settings.filter(hasHosts), settings.filter((one) => !hasHosts(one))];
    const weight = lost.reduce((sum, one) => sum + one.weight, 0);
    const invalid: Made[] = weight === 0 ? [] : [{ name: 'invalid-backend-cluster', weight }];
    const clusters = [...invalid, ...found.map((one): Made => ({ name: one.name, weight: one.weight }))];
    return { weighted_clusters: { clusters } };
  }

  private add(name: string, settings: readonly Setting[], traffic: Traffic): void {
    if (this.clusters.has(name)) return;
    this.clusters.add(name);
    addCluster(name, settings, traffic, this.made);
  }

  private settingOf(ref: Part, route: KubeObject, name: string): Setting {
    const kind = ref.at('kind').text ?? 'Service';
    const namespace = ref.at('namespace').text ?? route.namespace;
    ref.ignore('group');
    const target = ref.at('name').text ?? '';
    const filters = ref.at('filters').items;
    const span = ref.spanOr(route.span);
    const invalid: Setting = {
      ...NO_BACKEND,
      name,
      span,
      weight: ref.at('weight').number ?? 1,
      isHttp2: route.kind === 'GRPCRoute',
      hasFilters: filters.length > 0,
    };
    ref.ignore('filters');
    const isMissing = filters.some(
      (one) =>
        one.at('type').text === 'ExtensionRef' &&
        this.find('HTTPRouteFilter', route.namespace, one.at('extensionRef.name').text ?? '') === undefined,
    );
    if (isMissing || (namespace !== route.namespace && !this.isGranted(route, kind, namespace, target)))
      return { ...invalid, hasFilters: false };
    if (kind === 'Backend') return this.backendOf(this.find('Backend', namespace, target), invalid, route);
    const service = kind === 'Service' ? this.kube.find(namespace, target) : undefined;
    if (kind !== 'Service') this.reports.refuse(span, 'otherBackend', { kind });
    return service === undefined ? invalid : this.serviceOf(service, ref, invalid, route);
  }

  private isGranted({ kind, namespace }: KubeObject, to: string, target: string, name: string): boolean {
    return this.of('ReferenceGrant').some(({ namespace: own, spec }) => {
      const from = spec
        .at('from')
        .items.some((one) => one.at('kind').text === kind && one.at('namespace').text === namespace);
      return (
        own === target &&
        from &&
        spec.at('to').items.some((one) => one.at('kind').text === to && (one.at('name').text ?? name) === name)
      );
    });
  }

  private backendOf(backend: KubeObject | undefined, invalid: Setting, route: KubeObject): Setting {
    if (backend === undefined) return invalid;
    const { spec } = backend;
    const protocols = spec.at('appProtocols').texts;
    const isHttp2 = invalid.isHttp2 || (route.kind === 'HTTPRoute' && protocols.includes('gateway.envoyproxy.io/h2c'));
    const base = { ...invalid, isHttp2, isInvalid: false, isFallback: spec.at('fallback').isTrue };
    if (spec.at('type').text === 'DynamicResolver') {
      this.reports.refuse(backend.span, 'dynamicHosts', { name: backend.name });
    }
    const endpoints = spec.at('endpoints').items.map((one): Endpoint & { readonly isName: boolean } => {
      const [ip, name] = [one.at('ip'), one.at('fqdn')];
      one.ignore('hostname');
      const path = one.at('unix.path').text;
      const address = ip.at('address').text ?? name.at('hostname').text ?? `unix://${path ?? ''}`;
      const port = ip.isThere ? ip.at('port') : name.at('port');
      return {
        ...PLAIN,
        span: one.spanOr(backend.span),
        address,
        port,
        zone: one.at('zone').text,
        isName: name.isThere,
      };
    });
    const names = endpoints.filter(({ isName }) => isName).length;
    const type = names === 0 ? 'ip' : names === endpoints.length ? 'name' : 'mixed';
    return type === 'mixed' ? { ...base, isInvalid: true } : { ...base, endpoints, type };
  }

  private serviceOf(service: KubeObject, ref: Part, invalid: Setting, route: KubeObject): Setting {
    const { spec, annotations, name } = service;
    spec.ignore('selector', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'sessionAffinity');
    const number = ref.at('port').number;
    const port = spec.at('ports').items.find((one) => one.at('port').number === number);
    const protocol = port?.at('protocol').text ?? 'TCP';
    const isFor = (route.kind === 'UDPRoute') === (protocol === 'UDP');
    if (port === undefined || !isFor || spec.at('type').text === 'ExternalName') return invalid;
    const application = port.at('appProtocol').text ?? '';
    const isHttp2 =
      invalid.isHttp2 || (route.kind === 'HTTPRoute' && ['kubernetes.io/h2c', 'grpc'].includes(application));
    const mode = annotations['service.kubernetes.io/topology-mode'] ?? '';
    const preferredFrom = spec.at('trafficDistribution').isThere ? 1 : mode.toLowerCase() === 'auto' ? 3 : undefined;
    const base = { ...invalid, isHttp2, isInvalid: false, preferredFrom, type: 'ip' as const };
    const byService = this.proxy?.spec.at('routingType').text === 'Service' && spec.at('clusterIP').text !== 'None';
    if (byService)
      return {
        ...base,
        endpoints: [{ ...PLAIN, span: service.span, address: spec.at('clusterIP').text ?? '', port: number ?? 0 }],
      };
    if (!this.kube.hasSlices(service)) {
      this.reports.refuse(service.span, 'bareService', { name, namespace: service.namespace });
    }
    return { ...base, endpoints: this.kube.endpoints(service, port.at('name').text ?? '', protocol) };
  }

  /** That of the rule, the route, its listener or its gateway: the nearest, or it merged into what is above it. */
  private policyFor(
    route: KubeObject,
    rule: string | undefined,
    { owner, gateway, name }: Listener,
  ): { readonly policy: Part; readonly isInvalid: boolean } {
    const own = [rule === undefined ? undefined : this.target(route, rule), this.target(route, undefined)].find(
      (one) => one !== undefined,
    );
    const above = [this.target(owner, name), this.target(owner, undefined), this.target(gateway, undefined)].find(
      (one) => one !== undefined,
    );
    const nearest = own ?? above;
    const nothing = route.spec.at('nothing');
    if (nearest === undefined) return { policy: nothing, isInvalid: false };
    const filled = (one: KubeObject | undefined): SourceNode | undefined =>
      one?.spec.node && withDefaults(one.spec.node, TABLES.policy.defaults);
    const isMerged = own !== undefined && own.spec.at('mergeType').isThere;
    const policy = nearest.spec.as(isMerged ? merged(filled(above), filled(own)) : filled(nearest));
    const [base, most] = ['baseInterval', 'maxInterval'].map((field) =>
      secondsOf(policy.at(`retry.perRetry.backOff.${field}`).text ?? ''),
    );
    const isInvalid = base === 0 || most === 0 || (base !== undefined && most !== undefined && base > most);
    if (!isInvalid) return { policy, isInvalid };
    this.reports.warn(nearest.span, 'backOff', { name: nearest.name });
    return { policy: nothing, isInvalid };
  }

  private target({ kind, name, namespace, labels }: KubeObject, section: string | undefined): KubeObject | undefined {
    return this.policies.find((policy) => {
      if (policy.namespace !== namespace) return false;
      const { spec } = policy;
      const refs = [...spec.at('targetRefs').items, ...(spec.at('targetRef').isThere ? [spec.at('targetRef')] : [])];
      const isNamed = refs.some((ref) => {
        ref.ignore('group');
        return ref.at('kind').text === kind && ref.at('name').text === name && ref.at('sectionName').text === section;
      });
      const isSelected = spec.at('targetSelectors').items.some((one) => {
        one.ignore('group');
        return (
          section === undefined &&
          one.at('kind').text === kind &&
          Object.entries(one.at('matchLabels').table).every(([key, value]) => labels[key] === value)
        );
      });
      return isNamed || isSelected;
    });
  }
}

const NO_BACKEND = { endpoints: [], type: undefined, isInvalid: true, preferredFrom: undefined, isFallback: false };

function hasHosts({ endpoints }: Setting): boolean {
  return endpoints.length > 0;
}

function listenerName({ gateway, owner, name }: Listener): string {
  const set = owner === gateway ? '' : `${owner.namespace}/${owner.name}/`;
  return `${gateway.namespace}/${gateway.name}/${set}${name}`;
}

interface Match {
  readonly message: Draft;
  /** How specific it is, as the Gateway API orders matches: the greater numbers go first. */
  readonly order: readonly number[];
}

function bySpecificity({ order: one }: Match, { order: other }: Match): number {
  const index = one.findIndex((value, at) => value !== other[at]);
  return index < 0 ? 0 : (other[index] ?? 0) - (one[index] ?? 0);
}

function matchesOf(rule: Part, kind: string): readonly Match[] {
  const matches = rule.at('matches').items;
  if (matches.length === 0) return [{ message: { prefix: '/' }, order: [0, 1, 0, 0, 0] }];
  return matches.map((match) => {
    const method = kind === 'GRPCRoute' ? undefined : match.at('method').node;
    const own = mapped(match, TABLES.match);
    const way = kind === 'GRPCRoute' ? methodOf(match.at('method')) : match.at('path').isThere ? {} : { prefix: '/' };
    const headers = [...match.at('headers').items.map((one): Made => mapped(one, TABLES.named))];
    if (method !== undefined) headers.push({ name: ':method', string_match: { exact: method } });
    const message = { ...own, ...way, ...(headers.length > 0 && { headers }) };
    const path = match.at('path.value').text ?? match.at('method.service').text ?? '/';
    const numbers = [headers.length, match.at('queryParams').items.length];
    return { message, order: [Number('path' in message), path.length, Number(method !== undefined), ...numbers] };
  });
}

function methodOf(method: Part): Draft {
  const [service, name] = [method.at('service').text, method.at('method').text];
  if (service === undefined && name === undefined) return { prefix: '/' };
  if (method.at('type').text === 'RegularExpression')
    return { safe_regex: { regex: `/${service ?? '.+'}/${name ?? '.+'}` } };
  if (service === undefined) return { safe_regex: { regex: `/.+/${name ?? ''}` } };
  return name === undefined ? { path_separated_prefix: `/${service}` } : { path: `/${service}/${name}` };
}

/** That of the rule goes before that of the policy; a stream may be idle for an hour, or as long as it may take. */
function timeoutOf(rule: Part, policy: Part): Draft {
  const whole = rule.at('timeouts.request');
  const each = rule.at('timeouts.backendRequest');
  const isRetried = rule.at('retry').isThere;
  const ofRule = each.isThere && !isRetried ? each : whole;
  const general = policy.at('timeout.http.requestTimeout');
  const used = ofRule.isThere ? ofRule : general;
  const idle = policy.at('timeout.http.streamIdleTimeout');
  const seconds = secondsOf(used.text ?? '');
  const most = seconds === undefined ? undefined : seconds === 0 ? '0s' : `${Math.max(3600, seconds)}s`;
  return {
    ...(ofRule.isThere && { timeout: durationOf(ofRule) }),
    ...(idle.isThere ? { idle_timeout: durationOf(idle) } : most !== undefined && { idle_timeout: most }),
  };
}

function hashPolicies(policy: Part): Draft {
  const lb = policy.at('loadBalancer');
  if (lb.at('type').text !== 'ConsistentHash') return {};
  return mapped(lb.at('consistentHash'), TABLES.hash);
}

/** Those of the rule in place of the policy's. */
function retriesOf(rule: Part, policy: Part): Draft {
  const [own, general] = [rule.at('retry'), policy.at('retry')];
  if (!own.isThere && !general.isThere) return {};
  const always = { ...TABLES.retry.always, retry_host_predicate: PREVIOUS_HOSTS };
  if (own.isThere) {
    const each = rule.at('timeouts.backendRequest');
    const codes = own.at('codes');
    return {
      retry_policy: {
        ...mapped(own, { ...TABLES.ruleRetry, always }),
        retriable_status_codes: codes.isThere ? codes.node : [503],
        ...(each.isThere && { per_try_timeout: durationOf(each) }),
      },
    };
  }
  const on = general.at('retryOn');
  const codes = on.at('httpStatusCodes');
  const attempts = general.at('numAttemptsPerPriority');
  return {
    retry_policy: {
      ...mapped(general, { ...TABLES.retry, always }),
      ...(codes.isThere ? { retriable_status_codes: codes.node } : !on.isThere && { retriable_status_codes: [503] }),
      ...((attempts.number ?? 0) > 0 && { retry_priority: previousPriorities(attempts.node ?? 0) }),
    },
  };
}
