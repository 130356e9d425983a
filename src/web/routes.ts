import { printable, printableJson } from '../core/printable.js';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { catching, type JsonValue, only } from '../core/values.js';
import { LinearRegex } from '../core/regex/linear-regex.js';
import { RegexError } from '../core/regex/pattern.js';
import { proxyCalled } from '../report/format.js';
import type { Proxy } from '../simulation/proxy.js';
import type { EventStreams } from './event-streams.js';
import { clustersJson, clustersText } from './pages/clusters.js';
import { PAGES } from './pages/generated/pages.js';
import { configDump } from './pages/config-dump.js';
import { helpText, indexPage, type PageHelp, proxyNames, type RunView, serverInfo } from './pages/index-page.js';
import { selected, STAT_TYPES, statsJson, statsText } from './pages/stats.js';
import { prometheusText } from '../stats/prometheus.js';
import { isIP } from 'node:net';

/**
 * Whether a request is for this server, by its Host header. A foreign page can have its own name resolve to this machine,
 * but it cannot make a browser send an address, `localhost` or an allowed name. @param allowed further names, lower case.
 */
export function isOwnHost(header: string | undefined, allowed: ReadonlySet<string>): boolean {
  const match = /^(?:\[([\da-fA-F:.]+)\]|([^:[\]]+))(?::\d{1,5})?$/.exec(header ?? '');
  if (match === null) return false;
  const [, ipv6, name = ''] = match;
  if (ipv6 !== undefined) return isIP(ipv6) === 6;
  const host = name.toLowerCase().replace(/\.$/, '');
  return isIP(host) === 4 || host === 'localhost' || host.endsWith('.localhost') || allowed.has(host);
}

type Env = { Bindings: HttpBindings };
type Ctx = Context<Env>;
type Parameters = ReadonlyMap<string, string>;

export interface RouteOptions {
  readonly view: () => RunView;
  readonly streams: EventStreams;
  /** Allowed names in a Host header, besides addresses and localhost; lower case. */
  readonly allowedHosts: ReadonlySet<string>;
  /** Files of the playground, below /playground/. */
  readonly site: Site;
}

/** Text by the name of a file; the page itself is `index.html`. */
export type Site = ReadonlyMap<string, string>;

/** Limits of an untrusted expression that is matched with every name: instructions in it, and steps in total. */
const MAX_FILTER_INSTRUCTIONS = 1_000;
const MAX_FILTER_STEPS = 25_000_000;

const badRequest = (message: string): HTTPException => new HTTPException(400, { message });

/** The pages: all are read-only. */
export function createRoutes({ view, streams, allowedHosts, site }: RouteOptions): Hono<Env> {
  const app = new Hono<Env>({ strict: true });

  app.use(async (c, next) => {
    if (!isOwnHost(c.req.header('host'), allowedHosts))
      return plain(c, 'this name is not served here; --allow-host NAME lets it be\n', 403);
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      c.header('allow', 'GET, HEAD');
      return plain(c, 'nothing can be changed here: GET and HEAD only\n', 405);
    }
    await next();
    return undefined;
  });

  app.get('/', (c) => {
    c.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
    return respond(c, indexPage(view(), site.size > 0), 'text/html; charset=UTF-8');
  });
  app.get('/help', (c) => plain(c, helpText(namesOf(view()))));
  // Relative names of its files need the slash.
  if (site.size > 0) app.get('/playground', (c) => c.redirect('/playground/'));
  for (const [name, text] of site) {
    const isPage = name === 'index.html';
    const type = isPage ? 'text/html; charset=UTF-8' : 'text/javascript; charset=UTF-8';
    app.get(`/playground/${isPage ? '' : name}`, (c) => respond(c, text, type));
  }

  /** A page of one proxy: of the first at `path`, of all below /proxies. */
  const page = (
    { path, help: _, ...parameters }: PageHelp,
    render: (c: Ctx, proxy: Proxy, query: Parameters, number: number) => Response,
  ): void => {
    const handle = (c: Ctx, number: number): Response => {
      const { proxies } = view().simulation;
      const proxy = proxies[number];
      if (proxy === undefined) {
        const are = proxies.length === 1 ? 'is' : 'are';
        return plain(c, `there is no such proxy; there ${are} ${proxyNames(namesOf(view()))}\n`, 404);
      }
      // Dashboards add their own parameters, as `?delay=2000`.
      return render(c, proxy, path === PAGES.dashboard.path ? new Map() : queryOf(c, path, parameters), number);
    };
    app.get(path, (c) => handle(c, 0));
    app.get(`/proxies/:proxy${path}`, (c) => handle(c, namesOf(view()).indexOf(c.req.param('proxy'))));
  };

  page(PAGES.clusters, (c, proxy, query) => {
    const filter = filterOf(query);
    return formatOf(query, ['text', 'json']) === 'json'
      ? json(c, clustersJson(proxy, filter))
      : plain(c, clustersText(proxy, filter));
  });
  page(PAGES.configDump, (c, proxy, query) =>
    json(c, configDump(proxy, view().startedAt, isSet(query, 'include_eds'))),
  );
  page(PAGES.ready, (c) => plain(c, 'LIVE\n'));
  page(PAGES.serverInfo, (c, proxy) => json(c, serverInfo(proxy, view())));
  const stats = (c: Ctx, query: Parameters, number: number, format: string): Response => {
    const all = view().simulation.statsOf(number);
    if (all === undefined) return plain(c, '');
    const wanted = query.get('type') ?? 'All';
    const type = STAT_TYPES.find((name) => name === wanted);
    if (type === undefined) throw badRequest(`type is one of ${STAT_TYPES.join(', ')}, not ${wanted}`);
    const snapshot = selected(all, { filter: filterOf(query), usedOnly: isSet(query, 'usedonly'), type });
    if (format === 'prometheus') return plain(c, prometheusText([{ snapshot, labels: [] }]));
    if (format === 'text') return plain(c, statsText(snapshot));
    return respond(c, printableJson(JSON.stringify(statsJson(snapshot))), 'application/json');
  };
  page(PAGES.stats, (c, _, query, number) => stats(c, query, number, formatOf(query, ['text', 'json', 'prometheus'])));
  page(PAGES.prometheus, (c, _, query, number) => stats(c, query, number, 'prometheus'));
  page(PAGES.dashboard, (c, { name }, _, number) => {
    if (streams.has(number)) return openStream(c, number, streams);
    const missing = `${proxyCalled(name)} has no dashboard sink: add proxy.stat_sinks.dashboard to its stats_sinks\n`;
    return plain(c, missing, 404);
  });

  app.notFound((c) => plain(c, `there is no such page; ${helpText(namesOf(view()))}`, 404));
  app.onError((error, c) => {
    if (error instanceof HTTPException) return plain(c, `${printable(error.message)}\n`, 400);
    return plain(c, `a defect of lbsim: ${printable(error.message)}\n`, 500);
  });
  return app;
}

/** The head is sent at once, without a length: the stream ends with its connection. */
function openStream(c: Ctx, proxy: number, streams: EventStreams): Response {
  const { outgoing, incoming } = c.env;
  outgoing.removeHeader('transfer-encoding');
  const { 'cross-origin-resource-policy': _, ...common } = HEADERS;
  const own = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };
  outgoing.writeHead(200, { ...own, ...common, connection: 'close' });
  if (incoming.method === 'HEAD') outgoing.end();
  else {
    // A connection is idle between two flushes, which must not end it.
    incoming.socket.setTimeout(0);
    outgoing.flushHeaders();
    streams.add(proxy, outgoing);
  }
  return RESPONSE_ALREADY_SENT;
}

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  server: 'lbsim',
} as const;

function respond(c: Ctx, body: string, type: string, status: 200 | 400 | 403 | 404 | 405 | 500 = 200): Response {
  c.header('content-type', type);
  c.header('cache-control', 'no-cache, max-age=0');
  for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
  return c.body(body, status);
}

const plain = (c: Ctx, text: string, status?: 200 | 400 | 403 | 404 | 405 | 500): Response =>
  respond(c, text, 'text/plain; charset=UTF-8', status);

const json = (c: Ctx, value: JsonValue): Response =>
  respond(c, `${printableJson(JSON.stringify(value, null, 1))}\n`, 'application/json');

const namesOf = ({ simulation }: RunView): readonly string[] => simulation.proxies.map(({ name }) => name);

/** The query parameters, each name once. */
function queryOf(c: Ctx, path: string, parameters: Readonly<Record<string, string>>): Parameters {
  const query = new Map<string, string>();
  for (const [name, value] of new URL(c.req.url).searchParams) {
    if (!Object.hasOwn(parameters, name)) {
      const takes = Object.keys(parameters).join(', ');
      throw badRequest(`${path} takes ${takes === '' ? 'no parameters' : takes}, not ${name}`);
    }
    if (query.has(name)) throw badRequest(`${name} is given twice`);
    query.set(name, value);
  }
  return query;
}

/** `?usedonly`, `?usedonly=true`; not `?usedonly=false`. */
function isSet(query: Parameters, name: string): boolean {
  const value = query.get(name);
  return value !== undefined && value !== 'false' && value !== '0';
}

function formatOf(query: Parameters, formats: readonly string[]): string {
  const format = query.get('format') ?? 'text';
  if (!formats.includes(format)) throw badRequest(`format is one of ${formats.join(', ')}, not ${format}`);
  return format;
}

function filterOf(query: Parameters): (name: string) => boolean {
  const filter = query.get('filter');
  if (filter === undefined) return () => true;
  const refuse = only(RegexError, ({ message }): never => {
    throw badRequest(`the regular expression ${filter}: ${message}`);
  });
  const make = (): LinearRegex => new LinearRegex(filter, 're2', MAX_FILTER_INSTRUCTIONS, MAX_FILTER_STEPS);
  const regex = catching(make, refuse);
  return (name) => catching(() => regex.search(name) !== undefined, refuse);
}
