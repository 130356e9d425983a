import { validateText } from '../support/validate.js';
import { Check } from './check.js';
import { Fields } from './fields.js';
import type { CaseOutcome } from './outcome.js';
import { problemOf } from './problem.js';

/** What the proxy said while the case was recorded: for readers, never compared. */
const ORIENTATION = ['area', 'verdict', 'real_start', 'stage', 'message', 'cause', 'note', 'source', 'warnings'];

/** Replays a file of kind `validation`: is each configuration accepted, or refused, as expected? */
export function runValidationFile(content: unknown): CaseOutcome[] {
  const file = Fields.of(content, '');
  file.ignore('kind', 'area', 'description');
  const cases = file.list('cases');
  file.end();
  const outcomes = cases.map((value, index) => runCase(value, `cases[${index}]`));
  const undecided = undecidedInputs(cases);
  return outcomes.map((outcome, index) =>
    outcome.result === 'failed' && undecided.has(inputOf(cases[index]))
      ? { ...outcome, result: 'skipped', problem: 'another case expects the opposite of the very same input' }
      : outcome,
  );
}

/** Inputs that the file expects to be accepted and to be refused: what made the difference is not in the file. */
function undecidedInputs(cases: readonly unknown[]): ReadonlySet<string> {
  const expected = new Map<string, unknown>();
  const undecided = new Set<string>();
  for (const value of cases) {
    const input = inputOf(value);
    const verdict = (value as { readonly expected?: unknown } | null)?.expected;
    if (expected.has(input) && expected.get(input) !== verdict) undecided.add(input);
    expected.set(input, verdict);
  }
  return undecided;
}

function inputOf(value: unknown): string {
  const { cluster, context, raw_yaml } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return JSON.stringify([cluster, context, raw_yaml]);
}

function runCase(value: unknown, path: string): CaseOutcome {
  let name = path;
  try {
    const fields = Fields.of(value, path);
    name = fields.string('name');
    fields.ignore(...ORIENTATION);
    const expected = fields.string('expected');
    const text = fields.optionalString('raw_yaml') ?? bootstrapText(fields);
    fields.ignore('cluster', 'context');
    fields.end();
    const errors = validateText(text, name, { fileExists }).filter(({ severity }) => severity === 'error');
    const found = errors.map((error) => `${error.path}: ${error.message}`).join('; ');
    const check = new Check();
    check.that('verdict', expected === (errors.length === 0 ? 'ok' : 'error'), () =>
      errors.length === 0 ? `expected ${expected}, and it is accepted` : `expected ${expected}: ${found}`,
    );
    return check.outcome(name, '');
  } catch (error) {
    return { name, version: '', result: 'failed', compared: [], problem: problemOf(error) };
  }
}

/** The recordings were made on a machine that had every file they name, except where a missing one was the point. */
function fileExists(path: string): boolean {
  return !path.startsWith('/nonexistent/');
}

/** The configuration file that the case describes: its cluster, and what stood around it. */
function bootstrapText(fields: Fields): string {
  const context = fields.optionalObject('context');
  const routes = context?.unknown('route_config');
  const raw = context?.optionalList('raw_clusters');
  const own = raw ?? [fields.unknown('cluster')];
  const bootstrap = {
    node: context?.unknown('node'),
    cluster_manager: context?.unknown('cluster_manager'),
    stats_config: context?.unknown('stats_config'),
    stats_sinks: context?.unknown('stats_sinks'),
    stats_flush_interval: context?.unknown('stats_flush_interval'),
    static_resources: {
      clusters: [...own, ...(context?.optionalList('clusters') ?? [])],
      listeners: routes === undefined ? [] : [listenerWith(routes)],
    },
  };
  context?.end();
  return JSON.stringify(bootstrap);
}

function listenerWith(routes: unknown): object {
  const connectionManager = {
    '@type': 'type.googleapis.com/proxy.config.filter.network.http_connection_manager.v2.HttpConnectionManager',
    stat_prefix: 'ingress',
    route_config: routes,
  };
  const filter = { name: 'proxy.filters.network.http_connection_manager', typed_config: connectionManager };
  const address = { socket_address: { address: '127.0.0.1', port_value: 10000 } };
  return { name: 'listener', address, filter_chains: [{ filters: [filter] }] };
}
