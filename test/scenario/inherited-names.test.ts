import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../src/scenario/load.js';
import { createSimulation, runScenario } from '../../src/analysis/run/run-scenario.js';

/**
 * Names that every object of JavaScript inherits are names like any other: where a file has one of them, that says what it
 * would say of a word that nobody knows.
 */
const INHERITED = ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__'];
const UNKNOWN = 'zyxwvutsrqp';

const PLACES = [
  'WORD: 1',
  'clusters: [{name: b, WORD: 1}]',
  'clusters: [{name: b, type: WORD}]',
  'clusters: [{name: b, lb_policy: WORD}]',
  'clusters: [{name: b, connect_timeout: "5WORD"}]',
  'clusters: [{name: b, cluster_type: {name: WORD}}]',
  'clusters: [{name: b, lb_subset_config: {panic_mode_any: WORD}}]',
  'clusters: [{name: b, lb_subset_config: {fallback_policy: WORD}}]',
  'clusters: [{name: b, typed_extension_protocol_options: {WORD: {"@type": type.googleapis.com/WORD}}}]',
  'clusters: [{name: b, transport_socket: {name: WORD, typed_config: {"@type": type.googleapis.com/WORD}}}]',
  'clusters: [{name: b}]\nendpoints: {WORD: [10.0.0.1:80]}',
  'clusters: [{name: b}]\nendpoints: {b: [{address: 10.0.0.1:80, WORD: 1}]}',
  'clusters: [{name: b}]\nproxy: {stats_sinks: [{name: WORD}]}',
  'clusters: [{name: b}]\nproxy: {stats_sinks: [{name: proxy.stat_sinks.statsd, typed_config: {"@type": type.googleapis.com/WORD}}]}',
  'clusters: [{name: b}]\nproxy: {stats_config: {stats_matcher: {inclusion_list: {patterns: [{regex: "[[:WORD:]]"}]}}}}',
  'clusters: [{name: b}]\nversion: WORD',
  'clusters: [{name: b}]\ntimeline: [{at: 1s, WORD: 1}]',
  'clusters: [{name: b}]\nexpect: [{WORD: 1}]',
];

function problemsOf(place: string, word: string): readonly string[] {
  const text = `${place.replaceAll('WORD', word)}\n`;
  return loadScenario({ file: 'a.yaml', text }).problems.map(({ path, rule, message }) =>
    `${path} (${rule}): ${message}`.replaceAll(word, 'WORD'),
  );
}

describe.each(PLACES)('%s', (place) => {
  it.each(INHERITED)('with %s', (word) => {
    const problems = problemsOf(place, word);
    expect(problems).toEqual(problemsOf(place, UNKNOWN));
    expect(problems.length).toBeGreaterThan(0);
  });
});

describe.each(INHERITED)('%s', (word) => {
  const scenario = (rest: string): string =>
    `clusters: [{name: b, lb_subset_config: {fallback_policy: NO_FALLBACK, subset_selectors: [{keys: ["${word}"]}]}}]
endpoints: {b: [10.0.0.1:80, {address: 10.0.0.2:80, metadata: {"${word}": x}}]}
${rest}
`;

  async function split(text: string): Promise<readonly number[]> {
    const { scenario: loaded, problems } = loadScenario({ file: 'a.yaml', text });
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    if (loaded === undefined) throw new Error('does not load');
    const result = await runScenario(loaded);
    return result.clusters['b']?.hosts.map(({ requests }) => requests) ?? [];
  }

  it('is a key of metadata that only the host has which has it', async () => {
    const traffic = `workloads: [{cluster: b, arrivals: {constant: 10/s}, stop: 1s, metadata_match: {"${word}": x}}]`;
    expect(await split(scenario(traffic))).toEqual([0, 10]);
    const selected = `${traffic}\ntimeline: [{at: 0s, set_health: {hosts: {metadata: {"${word}": x}}, status: UNHEALTHY}}]`;
    expect(await split(scenario(selected))).toEqual([0, 10]);
  });

  it('is a statistic that does not exist', async () => {
    const text = scenario(`requests: [{at: 0s, cluster: b}]\nexpect: [{stat: "${word}", at_least: 0}]`);
    const { scenario: loaded } = loadScenario({ file: 'a.yaml', text });
    if (loaded === undefined) return;
    const simulation = await createSimulation(loaded);
    simulation.advance(Infinity);
    expect(simulation.result().expect[0]?.actual).toBeNull();
  });
});
