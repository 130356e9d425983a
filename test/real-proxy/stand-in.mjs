#!/usr/bin/env node
/**
 * Stands for a proxy where none is installed: it reads a bootstrap, takes turns over the hosts of the first cluster that
 * a route or a TCP proxy names, and has the admin pages that are asked for. `STAND_IN` changes it: `unfair` picks the first host every
 * time, `crashes` ends with addresses, `refuses` ends with the words of a proxy that does not take its configuration, `dies` ends at its tenth request,
 * `stubborn` keeps the hosts that it had first, `forgets` answers every other request without asking a host.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as ask } from 'node:http';
import { connect, createServer as connections } from 'node:net';

const argument = (name) => process.argv[process.argv.indexOf(name) + 1];
const mode = process.env['STAND_IN'] ?? '';

if (process.argv.includes('--version')) {
  process.stdout.write('envoy  version: 0123456789abcdef/1.40.0/Clean/RELEASE/BoringSSL\n');
  process.exit(0);
}
const bootstrap = JSON.parse(readFileSync(argument('-c'), 'utf8'));
if (mode === 'refuses') {
  process.stderr.write("[critical][main] error initializing configuration '/x/bootstrap.json': no such field: 'lb'\n");
  process.exit(1);
}

if (mode === 'crashes') {
  const addresses = Array.from(
    { length: 40 },
    (_, index) => `[critical][backtrace] [./b.h:123] #${index}: [0x5581f42c4472]\n`,
  );
  process.stderr.write(
    `[critical][backtrace] [./b.h:129] Caught Segmentation fault, suspect 0x0\n${addresses.join('')}`,
  );
  process.exit(1);
}

const { clusters, listeners } = bootstrap.static_resources;
const { routes } = listeners[0].filter_chains[0].filters[0].typed_config.route_config.virtual_hosts[0];
const read = ({ eds_cluster_config: { eds_config: source } }) =>
  JSON.parse(readFileSync(source.path_config_source.path, 'utf8'));
const first = new Map(clusters.filter(({ type }) => type === 'EDS').map((cluster) => [cluster, read(cluster)]));
const assignmentOf = (cluster) =>
  cluster.load_assignment ?? (mode === 'stubborn' ? first.get(cluster) : read(cluster)).resources[0];
const portsOf = (name) =>
  (assignmentOf(clusters.find((cluster) => cluster.name === name)).endpoints ?? [])
    .flatMap(({ lb_endpoints: hosts = [] }) => hosts)
    .map(({ endpoint }) => endpoint.address.socket_address.port_value);

/** Answers of clusters by their statistics. */
const counted = new Map();
const count = (name, status, isAsked) => {
  const names = ['', 'external.'].flatMap((from) =>
    [status, `${String(status)[0]}xx`, 'completed'].map((what) => `${from}upstream_rq_${what}`),
  );
  for (const each of isAsked ? [...names, 'upstream_rq_total'] : names) {
    const whole = `cluster.${name}.${each}`;
    counted.set(whole, (counted.get(whole) ?? 0) + 1);
  }
};
let turn = 0;
/** By cluster. */
const turns = new Map();
const traffic = createServer((incoming, outgoing) => {
  const route = routes.find(
    ({ match }) => incoming.headers[match.headers[0].name] === match.headers[0].string_match.exact,
  );
  const ports = portsOf(route.route.cluster);
  turn += 1;
  if (mode === 'dies' && turn === 10) {
    process.stderr.write('[critical][assert] assert failure: hosts.size() > 0\n');
    process.exit(1);
  }
  if (mode === 'forgets' && turn % 2 === 0) {
    outgoing.writeHead(404).end();
    return;
  }
  const own = (turns.get(route.route.cluster) ?? 0) + 1;
  turns.set(route.route.cluster, own);
  const port = mode === 'unfair' ? ports[0] : ports[own % ports.length];
  if (port === undefined) {
    count(route.route.cluster, 503, false);
    outgoing.writeHead(503, { 'x-lbsim-flags': 'UH' }).end();
    return;
  }
  ask({ host: '127.0.0.1', port, headers: incoming.headers }, (answer) => {
    count(route.route.cluster, answer.statusCode, true);
    outgoing.writeHead(answer.statusCode, { ...answer.headers, 'x-envoy-attempt-count': '1' });
    answer.pipe(outgoing);
  }).end();
});
const overTcp = listeners
  .filter(({ name }) => name.startsWith('tcp-'))
  .map(({ name, filter_chains: [{ filters }] }) => {
    const { cluster } = filters[0].typed_config;
    let taken = 0;
    const server = connections((client) => {
      const ports = portsOf(cluster);
      const host = connect(ports[taken++ % ports.length], '127.0.0.1');
      client.pipe(host).pipe(client);
    });
    return { name, server: server.listen(0, '127.0.0.1') };
  });
traffic.listen(0, '127.0.0.1', () => {
  const statuses = [{ name: 'traffic', server: traffic }, ...overTcp].map(({ name, server }) => ({
    name,
    local_address: { socket_address: { address: '127.0.0.1', port_value: server.address().port } },
  }));
  const pages = { '/ready': 'LIVE', '/listeners?format=json': { listener_statuses: statuses } };
  const admin = createServer((incoming, outgoing) => {
    const members = clusters.map(({ name }) => ({
      name: `cluster.${name}.membership_total`,
      value: portsOf(name).length,
    }));
    const healthy = clusters.map(({ name }) => ({
      name: `cluster.${name}.membership_healthy`,
      value: portsOf(name).length,
    }));
    const weights = clusters.map(({ name, type }) => ({
      name: `cluster.${name}.max_host_weight`,
      value: type === 'EDS' ? 1 : 0,
    }));
    const updates = clusters.map((cluster) => ({
      name: `cluster.${cluster.name}.update_success`,
      value: cluster.type === 'EDS' ? Number(read(cluster).version_info) : 0,
    }));
    const answers = [...counted].map(([name, value]) => ({ name, value }));
    const page = pages[incoming.url] ?? { stats: [...members, ...healthy, ...weights, ...updates, ...answers] };
    outgoing.end(typeof page === 'string' ? page : JSON.stringify(page));
  });
  admin.listen(0, '127.0.0.1', () => {
    writeFileSync(argument('--admin-address-path'), `127.0.0.1:${admin.address().port}`);
  });
});
