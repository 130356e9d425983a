import { addTo } from '../../core/values.js';
import { OBJECTS } from './generated/objects.js';
import { clusterName, fullName, meantFor, type Mesh, portPolicy } from './istio-mesh.js';
import { mapped, mappedIfAny } from './mapping.js';
import type { Draft, Made, Part } from './part.js';
import { inOrder, isMatch, isSelected, type KubeObject, mirrorTo, type Snapshot } from './services.js';

const TABLES = OBJECTS.istio;

/** Route configurations by port, as a sidecar has them. */
export function istioRoutes(mesh: Mesh, objects: readonly KubeObject[], made: Snapshot): void {
  const byHost = new Map<string, KubeObject>();
  for (const object of inOrder(objects, 'VirtualService').filter(isForSidecars))
    for (const host of object.spec.texts('hosts')) {
      const name = fullName(host, object.namespace);
      if (!byHost.has(name)) byHost.set(name, object);
    }
  const byPort = new Map<number, Made[]>();
  const add = (port: number, host: string, routes: readonly Made[]): void => {
    if (routes.length > 0) addTo(byPort, port, { name: `${host}:${port}`, domains: [host, `${host}:${port}`], routes });
  };
  for (const { host, ports } of mesh.services) {
    const meant = meantFor(byHost, host);
    for (const { number: port } of ports.filter(({ protocol }) => HTTP.includes(protocol)))
      add(port, host, meant === undefined ? [defaultRoute(mesh, host, port)] : routesAt(mesh, meant, port));
  }
  const ports = byPort.size === 0 ? [80] : [...byPort.keys()];
  for (const [host, object] of byHost)
    if (!mesh.services.some((service) => isMatch(host, service.host)))
      for (const port of ports) add(port, host, routesAt(mesh, object, port));
  for (const [port, hosts] of [...byPort].sort(([a], [b]) => a - b))
    made.addRoutes({ start: 0, end: 0 }, String(port), hosts);
}

const HTTP: readonly string[] = ['HTTP', 'HTTP2', 'GRPC', 'GRPC-WEB', 'AUTO'];

function isForSidecars({ spec, title, name }: KubeObject): boolean {
  const gateways = spec.texts('gateways');
  if (isOfMesh(gateways)) return true;
  title.warn('forGateways', { name, gateways: gateways.join(', ') });
  spec.ignore('hosts', 'http');
  return false;
}

const isOfMesh = (gateways: readonly string[]): boolean => gateways.length === 0 || gateways.includes('mesh');

type Destination = Readonly<{ host: string; subset: string; port: number }>;

function defaultRoute(mesh: Mesh, host: string, port: number): Made {
  const destination = { host, subset: '', port };
  const hash = hashPolicies(mesh, [destination]);
  const retries = retriesOf(mesh, mesh.config.at('defaultHttpRetryPolicy'), false);
  const route = { cluster: clusterName(destination), timeout: '0s', hash_policy: hash, retry_policy: retries };
  return { match: { prefix: '/' }, route };
}

function routesAt(mesh: Mesh, object: KubeObject, port: number): readonly Made[] {
  const routes: Made[] = [];
  for (const http of object.spec.items('http')) {
    const matches = http.items('match');
    const made =
      matches.length === 0 ? [{ prefix: '/' }] : matches.filter((one) => holds(one, port, mesh)).map(matchOf);
    for (const match of made) {
      routes.push({ match, ...actionOf(mesh, object, http, port) });
      // What follows a route that takes everything is never reached.
      const isAll = Object.entries(match).every(([name, value]) => name === 'case_sensitive' || value === '/');
      if (isAll) return routes;
    }
  }
  return routes;
}

/** Whether a condition is one for this port and this proxy at all. */
function holds(match: Part, port: number, { asking }: Mesh): boolean {
  const isHere = !match.has('port') || match.number('port') === port;
  const isFromHere = !match.has('sourceNamespace') || match.text('sourceNamespace') === asking.namespace;
  const isFor = isSelected(match.table('sourceLabels'), asking.labels);
  return isHere && isFromHere && isFor && isOfMesh(match.texts('gateways'));
}

function matchOf(match: Part): Draft {
  const texts = (field: 'headers' | 'withoutHeaders' | 'queryParams') =>
    match.entries(field).map(([name, value]) => ({ name, ...mapped(value, TABLES[field]) }));
  const special = ['method', 'authority', 'scheme'].filter((name) => match.has(name));
  const headers = [
    ...[...texts('headers'), ...texts('withoutHeaders')].sort((a, b) => (a.name < b.name ? -1 : 1)),
    ...special.map((name) => ({ name: `:${name}`, ...mapped(match.at(name), TABLES.headers) })),
  ];
  const parameters = texts('queryParams');
  return {
    ...mapped(match, TABLES.match),
    ...(headers.length > 0 && { headers }),
    ...(parameters.length > 0 && { query_parameters: parameters }),
  };
}

function actionOf(mesh: Mesh, object: KubeObject, http: Part, port: number): Draft {
  if (http.has('redirect')) {
    http.ignore('redirect');
    return { redirect: { https_redirect: true } };
  }
  if (http.has('directResponse')) return { direct_response: { status: http.at('directResponse.status').node ?? 200 } };
  const all = http.items('route');
  const isSingle = all.length === 1;
  const meant = all.filter((one) => isSingle || (one.number('weight') ?? 0) > 0);
  const named = meant.map((one) => {
    return { ...destinationOf(mesh, object, one.at('destination'), port), weight: one.at('weight').node ?? 0 };
  });
  const clusters = named.map((one) => ({ name: clusterName(one), weight: one.weight }));
  const hash = hashPolicies(mesh, named);
  const retries = http.has('retries') ? http.at('retries') : mesh.config.at('defaultHttpRetryPolicy');
  const route = {
    ...(isSingle ? { cluster: clusters[0]?.name } : { weighted_clusters: { clusters } }),
    ...mapped(http, TABLES.route),
    hash_policy: hash,
    retry_policy: retriesOf(mesh, retries, isSingle && hash !== undefined),
    request_mirror_policies: mirrorsOf(mesh, object, http, port),
  };
  return { route };
}

function destinationOf({ services }: Mesh, { namespace }: KubeObject, part: Part, port: number): Destination {
  const host = fullName(part.text('host'), namespace);
  const [first, ...others] = services.find((one) => one.host === host)?.ports ?? [];
  const own = part.number('port.number') ?? (others.length === 0 ? first?.number : undefined);
  return { host, subset: part.text('subset'), port: own ?? port };
}

function mirrorsOf(mesh: Mesh, object: KubeObject, http: Part, port: number): readonly Made[] | undefined {
  const old = { to: http.at('mirror'), exact: http.at('mirrorPercentage.value'), whole: http.number('mirrorPercent') };
  const all = http.items('mirrors').map((one) => {
    return { to: one.at('destination'), exact: one.at('percentage.value'), whole: undefined };
  });
  const made = [old, ...all].flatMap(({ to, exact, whole }): readonly Made[] => {
    if (to.node === undefined) return [];
    const cluster = clusterName(destinationOf(mesh, object, to, port));
    return mirrorTo(cluster, exact.number() ?? whole, exact.node === undefined ? 'HUNDRED' : 'MILLION');
  });
  return made.length === 0 ? undefined : made;
}

/** What requests to these destinations are hashed by: of a subset's port, its subset, the rule's port, or the rule. */
function hashPolicies({ rules }: Mesh, destinations: readonly Destination[]): readonly Made[] | undefined {
  const made = destinations.flatMap(({ host, subset, port }): readonly Made[] => {
    const rule = meantFor(rules, host);
    const own = rule?.subsets.find((one) => one.text('name') === subset)?.at('trafficPolicy');
    const policies = [own, rule?.policy].flatMap((one) => (one === undefined ? [] : [portPolicy(one, port), one]));
    const hash = policies.find((one) => one?.has('loadBalancer.consistentHash'));
    const policy = hash && mappedIfAny(hash.at('loadBalancer.consistentHash'), TABLES.hash);
    return policy === undefined ? [] : [policy];
  });
  return made.length === 0 ? undefined : made;
}

function retriesOf({ asking }: Mesh, retries: Part, isHashed: boolean): Draft | undefined {
  if (retries.node !== undefined && (retries.number('attempts') ?? 0) <= 0) return undefined;
  const codes = asking.retriesUnavailable && !retries.has('retryOn') ? { retriable_status_codes: [503] } : {};
  const ignores = retries.at('retryIgnorePreviousHosts');
  const isSpared = ignores.node === undefined ? !isHashed : ignores.isTrue();
  return { ...codes, ...mapped(retries, TABLES.retries), ...(isSpared && TABLES.previousHosts.always) };
}
