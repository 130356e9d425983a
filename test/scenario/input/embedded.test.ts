import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../../src/scenario/load.js';

/** A proxy's configuration in objects of Kubernetes, as people find it there. */

const HOSTS = (name: string): string =>
  `{cluster_name: ${name}, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}]}]}`;
const CLUSTER = `{name: web, type: STATIC, connect_timeout: 1s, load_assignment: ${HOSTS('web')}}`;
const BOOTSTRAP = `static_resources:\n  clusters:\n  - ${CLUSTER}\n`;

const object = (apiVersion: string, kind: string, rest: string): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: x}\n${rest}`;
const indented = (text: string, by: string): string => text.replace(/^(?=.)/gm, by);
const configMap = object('v1', 'ConfigMap', `data:\n  notes: hello\n  envoy.yaml: |\n${indented(BOOTSTRAP, '    ')}`);

describe('a configuration is read where it stands', () => {
  it.each([
    ['a ConfigMap', configMap],
    [
      'in JSON',
      JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data: { 'envoy.yaml': BOOTSTRAP } }),
    ],
    ['a list of objects', object('v1', 'List', `items:\n- ${indented(configMap, '  ').trimStart()}`)],
    ['a cluster as a spec', object('proxy.example.com/v1', 'Upstream', `spec: ${CLUSTER}\n`)],
    [
      'a CiliumEnvoyConfig',
      object(
        'cilium.io/v2',
        'CiliumEnvoyConfig',
        `spec:\n  services: [{name: web}]\n  resources:\n  - ${CLUSTER.replace('{', "{'@type': type.googleapis.com/envoy.config.cluster.v3.Cluster, ")}\n`,
      ),
    ],
    ['clusters by name', `static_resources: {clusters: {web: ${CLUSTER.replace('name: web, ', '')}}}\n`],
    ['clusters by name at the top', `clusters: {web: ${CLUSTER.replace('name: web, ', '')}}\n`],
  ])('%s', (_, text) => {
    const { scenario, problems } = loadScenario({ file: 'a.yaml', text }, { supposesHosts: true });
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(scenario?.clusters.map(({ name }) => name)).toEqual(['web']);
  });

  it.each([
    [
      'EnvoyFilter',
      object(
        'networking.istio.io/v1alpha3',
        'EnvoyFilter',
        `spec:\n  configPatches:\n  - {applyTo: CLUSTER, patch: {operation: ADD, value: ${CLUSTER}}}\n  - {applyTo: HTTP_FILTER, patch: {operation: ADD, value: {name: a}}}\n`,
      ),
    ],
    [
      'EnvoyPatchPolicy',
      object(
        'gateway.envoyproxy.io/v1alpha1',
        'EnvoyPatchPolicy',
        `spec:\n  jsonPatches:\n  - {type: type.googleapis.com/envoy.config.cluster.v3.Cluster, operation: {op: add, path: '', value: ${CLUSTER}}}\n  - {type: type.googleapis.com/envoy.config.listener.v3.Listener, operation: {op: add, path: /a, value: 1}}\n`,
      ),
    ],
  ])('whole clusters of an %s, which are called a part', (kind, text) => {
    const { scenario, problems } = loadScenario({ file: 'a.yaml', text });
    expect(scenario?.clusters.map(({ name }) => name)).toEqual(['web']);
    expect(problems.map(({ message }) => message)).toContain(
      `${kind} adds a part to what a control plane makes: of it there is here only web; its other patches (1) are not read`,
    );
  });

  it('a patch of a generated cluster is not: it has no cluster of its own', () => {
    const patch = `spec: {configPatches: [{applyTo: CLUSTER, patch: {operation: MERGE, value: {name: web, lb_policy: MAGLEV}}}]}\n`;
    const { problems } = loadScenario({
      file: 'a',
      text: object('networking.istio.io/v1alpha3', 'EnvoyFilter', patch),
    });
    expect(problems.map(({ message }) => message)).toEqual([expect.stringMatching(/^this is a Kubernetes object/)]);
  });

  it('a mistake in it has its line and column', () => {
    const text = configMap.replace('connect_timeout: 1s', 'connect_timeout: soon');
    const line = text.split('\n').findIndex((one) => one.includes('soon'));
    const column = (text.split('\n')[line] ?? '').indexOf('soon');
    const { problems } = loadScenario({ file: 'a.yaml', text });
    expect(problems).toMatchObject([{ line: line + 1, column: column + 1 }]);
  });

  it('a text that is none of YAML has the line of its error', () => {
    const broken = (text: string) => loadScenario({ file: 'a', text: text.replace('- {name', '- }name') }).problems;
    const before = configMap.slice(0, configMap.indexOf('    static_resources')).split('\n').length - 1;
    expect(broken(configMap)[0]?.line).toBe((broken(BOOTSTRAP)[0]?.line ?? 0) + before);
  });
});

describe('placeholders in capitals', () => {
  it.each([
    ['port_value: 80', 'port_value: HOST_PORT', /found the placeholder HOST_PORT: render/],
    ['10.0.0.1', 'IP_REDACTED', /malformed IP address: the placeholder IP_REDACTED: render/],
  ])('%s → %s', (from, to, expected) => {
    const { problems } = loadScenario({ file: 'a.yaml', text: BOOTSTRAP.replace(from, to) });
    expect(problems.map(({ message }) => message)).toEqual([expect.stringMatching(expected)]);
  });

  it('a misspelt name is none', () => {
    const text = BOOTSTRAP.replace('type: STATIC', 'type: STRICT_DNSS');
    const { problems } = loadScenario({ file: 'a.yaml', text });
    expect(problems.map(({ message }) => message).join()).toMatch(/found STRICT_DNSS \(did you mean STRICT_DNS\?\)/);
  });
});
