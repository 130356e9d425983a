import { OBJECTS } from './generated/objects.js';
import { clusterName, fullName, type Mesh, portPolicy, type Service, type ServicePort } from './istio-mesh.js';
import { mapped, mappedIfAny } from './mapping.js';
import type { Draft, Made, Part } from './part.js';
import { inOrder, isMatch, type KubeObject, PREVIOUS_HOSTS, previousPriorities } from './services.js';

const TABLES = OBJECTS.istio;

/** Route configurations by port, as a sidecar has them. */
export function istioRoutes(mesh: Mesh, objects: readonly KubeObject[]): readonly Made[] {
  const virtual = inOrder(objects.filter(({ kind }) => kind === 'VirtualService')).filter((one) =>
    isForSidecars(one, mesh),
  );
  const byPort = new Map<number, Made[]>();
  const add = (port: number, host: string, routes: readonly Made[]): void => {
    const known = byPort.get(port) ?? [];
    byPort.set(port, [...known, { name: `${host}:${port}`, domains: [host, `${host}:${port}`], routes }]);
  };
  const isHttp = ({ protocol }: ServicePort): boolean =>
    ['HTTP', 'HTTP2', 'GRPC', 'GRPC-WEB', 'AUTO'].includes(protocol);
  for (const service of mesh.services) {
    const meant = bestOf(virtual, service.host);
    for (const port of service.ports.filter(isHttp)) {
      const routes = meant === undefined ? [defaultRoute(mesh, service, port)] : routesAt(mesh, meant, port.number);
      if (routes.length > 0) add(port.number, service.host, routes);
    }
  }
  const ports = new Set([...byPort.keys()]);
  for (const object of virtual) {
    for (const host of hostsOf(object).filter((one) => !mesh.services.some((service) => isMatch(one, service.host)))) {
      for (const port of ports.size === 0 ? [80] : ports) {
        const routes = routesAt(mesh, object, port);
        if (routes.length > 0) add(port, host, routes);
      }
    }
  }
  return [...byPort].sort(([a], [b]) => a - b).map(([port, hosts]) => ({ name: String(port), virtual_hosts: hosts }));
}

function hostsOf({ spec, namespace }: KubeObject): readonly string[] {
  return spec.at('hosts').texts.map((host) => fullName(host, namespace));
}

/** Of several for one host, the most specific, then the oldest. */
function bestOf(virtual: readonly KubeObject[], host: string): KubeObject | undefined {
  const matching = virtual.flatMap((object) =>
    hostsOf(object)
      .filter((one) => isMatch(one, host))
      .map((one) => ({ object, one })),
  );
  const order = matching.sort(
    (a, b) => Number(a.one.startsWith('*')) - Number(b.one.startsWith('*')) || b.one.length - a.one.length,
  );
  return order[0]?.object;
}

function isForSidecars({ spec, span, name }: KubeObject, { reports }: Mesh): boolean {
  const gateways = spec.at('gateways').texts;
  if (gateways.length === 0 || gateways.includes('mesh')) return true;
  reports.warn(span, 'forGateways', { name, gateways: gateways.join(', ') });
  spec.ignore('hosts', 'http');
  return false;
}

function defaultRoute(mesh: Mesh, { host }: Service, port: ServicePort): Made {
  const hash = hashPolicies(mesh, [{ host, subset: '', port: port.number }]);
  const action = {
    cluster: clusterName(host, port.number),
    timeout: '0s',
    ...hash,
    ...retriesOf(mesh, mesh.config.at('defaultHttpRetryPolicy'), false),
  };
  return { match: { prefix: '/' }, route: action };
}

interface Destination {
  readonly host: string;
  readonly subset: string;
  readonly port: number;
}

function routesAt(mesh: Mesh, object: KubeObject, port: number): readonly Made[] {
  const routes: Made[] = [];
  for (const http of object.spec.at('http').items) {
    http.ignore('name');
    const matches = http.at('match').items;
    const conditions = matches.length === 0 ? [undefined] : matches.filter((match) => holds(match, port, mesh));
    for (const condition of conditions) {
      const match = condition === undefined ? { prefix: '/' } : matchOf(condition);
      routes.push({ match, ...actionOf(mesh, object, http, port) });
      // What follows a route that takes everything is never reached.
      if (Object.keys(match).every((name) => name === 'prefix' || name === 'case_sensitive') && match['prefix'] === '/')
        return routes;
    }
  }
  return routes;
}

/** Whether a condition is one for this port and this proxy at all. */
function holds(match: Part, port: number, { asking }: Mesh): boolean {
  const gateways = match.at('gateways').texts;
  const labels = Object.entries(match.at('sourceLabels').table);
  const isPort = !match.at('port').isThere || match.at('port').number === port;
  const namespace = match.at('sourceNamespace').text;
  return (
    isPort &&
    (gateways.length === 0 || gateways.includes('mesh')) &&
    labels.every(([key, value]) => asking.labels?.[key] === value) &&
    (namespace === undefined || namespace === asking.namespace)
  );
}

/** What a text has to be; without a condition it has to be there. */
function matcher(name: string, part: Part): Draft & { readonly name: string } {
  const isAny = part.at('regex').text === '*';
  const own = isAny ? {} : mapped(part, TABLES.string);
  return { name, ...('string_match' in own ? own : { present_match: true }) };
}

function matchOf(match: Part): Draft {
  match.ignore('name', 'statPrefix');
  const draft: Draft = mappedIfAny(match.at('uri'), TABLES.uri) ?? { prefix: '/' };
  const wanted = match.at('headers').entries.map(([name, value]) => matcher(name, value));
  const unwanted = match.at('withoutHeaders').entries.map(([name, value]) => {
    const own = matcher(name, value);
    return { ...own, ...('string_match' in own && { treat_missing_header_as_empty: true }), invert_match: true };
  });
  const headers: Made[] = [...wanted, ...unwanted].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const name of ['method', 'authority', 'scheme']) {
    if (match.at(name).isThere) headers.push(matcher(`:${name}`, match.at(name)));
  }
  const parameters = match.at('queryParams').entries.map(([name, value]): Made => matcher(name, value));
  return {
    ...draft,
    case_sensitive: !match.at('ignoreUriCase').isTrue,
    ...(headers.length > 0 && { headers }),
    ...(parameters.length > 0 && { query_parameters: parameters }),
  };
}

function actionOf(mesh: Mesh, object: KubeObject, http: Part, port: number): Draft {
  if (http.at('redirect').isThere) {
    http.ignore('redirect');
    return { redirect: { https_redirect: true } };
  }
  const direct = http.at('directResponse');
  if (direct.isThere) {
    direct.ignore('body');
    return { direct_response: { status: direct.at('status').node ?? 200 } };
  }
  const destinations = http.at('route').items;
  const isSingle = destinations.length === 1;
  const used = isSingle ? destinations : destinations.filter((one) => (one.at('weight').number ?? 0) > 0);
  const named = used.map((one) => ({
    ...destinationOf(mesh, object, one.at('destination'), port),
    weight: one.at('weight'),
  }));
  const [only] = named;
  const hash = hashPolicies(mesh, named);
  const retries = http.at('retries');
  const own = retries.isThere ? retries : mesh.config.at('defaultHttpRetryPolicy');
  const route: Draft = {
    ...(isSingle && only !== undefined
      ? { cluster: nameOf(only) }
      : { weighted_clusters: { clusters: named.map((one) => ({ name: nameOf(one), weight: one.weight.node ?? 0 })) } }),
    ...mapped(http, TABLES.route),
    ...hash,
    ...retriesOf(mesh, own, isSingle && 'hash_policy' in hash),
    ...mirrorsOf(mesh, object, http, port),
  };
  return { route };
}

function nameOf({ host, port, subset }: Destination): string {
  return clusterName(host, port, subset);
}

function destinationOf({ services }: Mesh, { namespace }: KubeObject, part: Part, port: number): Destination {
  const host = fullName(part.at('host').text ?? '', namespace);
  const [first, ...others] = services.find((one) => one.host === host)?.ports ?? [];
  const own = part.at('port.number').number ?? (others.length === 0 ? first?.number : undefined);
  return { host, subset: part.at('subset').text ?? '', port: own ?? port };
}

function mirrorsOf(mesh: Mesh, object: KubeObject, http: Part, port: number): Draft {
  const policies = [
    ...(http.at('mirror').isThere
      ? [{ to: http.at('mirror'), exact: http.at('mirrorPercentage.value'), whole: http.at('mirrorPercent') }]
      : []),
    ...http
      .at('mirrors')
      .items.map((one) => ({ to: one.at('destination'), exact: one.at('percentage.value'), whole: one.at('nothing') })),
  ];
  const made = policies.flatMap(({ to, exact, whole }): Made[] => {
    const percent = exact.number ?? whole.number ?? 100;
    if (percent <= 0) return [];
    const fraction = exact.isThere
      ? { numerator: Math.trunc(percent * 10_000), denominator: 'MILLION' }
      : { numerator: percent, denominator: 'HUNDRED' };
    return [{ cluster: nameOf(destinationOf(mesh, object, to, port)), runtime_fraction: { default_value: fraction } }];
  });
  return made.length === 0 ? {} : { request_mirror_policies: made };
}

/** What requests to these destinations are hashed by: of a subset's port, its subset, the rule's port, or the rule. */
function hashPolicies({ ruleFor }: Mesh, destinations: readonly Destination[]): Draft {
  const made = destinations.flatMap(({ host, subset, port }): Made[] => {
    const rule = ruleFor(host);
    const own = rule?.subsets.find((one) => one.at('name').text === subset)?.at('trafficPolicy');
    const at = { number: port } as ServicePort;
    const policies = [own && portPolicy(own, at), own, rule && portPolicy(rule.policy, at), rule?.policy];
    const hash = policies.map((one) => one?.at('loadBalancer.consistentHash')).find((one) => one?.isThere === true);
    const policy = hash === undefined ? undefined : mappedIfAny(hash, TABLES.hash);
    return policy === undefined ? [] : [policy];
  });
  return made.length === 0 ? {} : { hash_policy: made };
}

function retriesOf({ asking }: Mesh, retries: Part, isHashed: boolean): Draft {
  if (retries.isThere && (retries.at('attempts').number ?? 0) <= 0) return {};
  const policy = mapped(retries, TABLES.retries);
  const written = retries.at('retryOn').text;
  const codes: number[] = [];
  if (written !== undefined) {
    const words = written
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '');
    codes.push(...words.filter((word) => /^[1-5]\d\d$/.test(word)).map(Number));
    const conditions = words.filter((word) => !/^[1-5]\d\d$/.test(word));
    if (codes.length > 0 && !conditions.includes('retriable-status-codes')) conditions.push('retriable-status-codes');
    policy['retry_on'] = conditions.join(',');
  } else if (asking.retriesUnavailable) codes.push(503);
  if (codes.length > 0) policy['retriable_status_codes'] = codes;
  const ignores = retries.at('retryIgnorePreviousHosts');
  if (ignores.isThere ? ignores.isTrue : !isHashed) policy['retry_host_predicate'] = PREVIOUS_HOSTS;
  if (retries.at('retryRemoteLocalities').isTrue) policy['retry_priority'] = previousPriorities(2);
  return { retry_policy: policy };
}
