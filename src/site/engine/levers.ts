import { appendTo, CannotEdit, namesIn, type Path, setIn } from './edit-yaml.js';
import { kindOf, type LocalityPicture } from './picture.js';
import { fill } from '../../words/fill.js';
import { SENTENCES } from '../../words/generated/sentences.js';

/** Changes by one click. Each becomes lines of the scenario. */
export type Lever =
  /** They stop answering, and discovery says so. */
  | { readonly kind: 'kill'; readonly atS: number; readonly hosts: Hosts }
  | { readonly kind: 'revive'; readonly atS: number; readonly hosts: Hosts }
  /** Their answers take another time. */
  | { readonly kind: 'slow'; readonly atS: number; readonly hosts: Hosts; readonly serviceMs: number }
  | { readonly kind: 'weight'; readonly atS: number; readonly hosts: Hosts; readonly weight: number }
  | { readonly kind: 'rate'; readonly atS: number; readonly workload: string; readonly perSecond: number }
  | { readonly kind: 'policy'; readonly cluster: string; readonly policy: string }
  | { readonly kind: 'panic'; readonly cluster: string; readonly percent: number };

/** An address, or every host of a cluster in a locality. */
export type Hosts =
  | { readonly address: string }
  | { readonly addresses: readonly string[] }
  | { readonly cluster: string; readonly locality: LocalityPicture['parts'] };

/** @throws CannotEdit where the text has no place for it. */
export function pulled(text: string, lever: Lever): string {
  if ('atS' in lever) {
    return appendTo(
      text,
      'timeline',
      stepsOf(lever).map((step) => `{at: ${lever.atS}s, ${step}}`),
    );
  }
  const cluster = clusterPath(text, lever.cluster);
  if (lever.kind === 'policy') return setIn(text, [...cluster, 'lb_policy'], lever.policy);
  return setIn(text, [...cluster, 'common_lb_config', 'healthy_panic_threshold', 'value'], String(lever.percent));
}

function stepsOf(lever: Extract<Lever, { readonly atS: number }>): readonly string[] {
  if (lever.kind === 'rate') return [`set_rate: {workload: ${quoted(lever.workload)}, rate: ${lever.perSecond}/s}`];
  if ('addresses' in lever.hosts)
    return lever.hosts.addresses.flatMap((address) => stepsOf({ ...lever, hosts: { address } }));
  const hosts = selector(lever.hosts);
  switch (lever.kind) {
    case 'kill':
      return [`fail: ${hosts}`, `set_health: {hosts: ${hosts}, status: UNHEALTHY}`];
    case 'revive':
      return [`recover: ${hosts}`, `set_health: {hosts: ${hosts}, status: HEALTHY}`];
    case 'slow':
      return [`set_behavior: {hosts: ${hosts}, service_time: ${lever.serviceMs}ms}`];
    case 'weight':
      return [`set_weight: {hosts: ${hosts}, weight: ${lever.weight}}`];
  }
}

export function leverInWords(lever: Lever): string {
  return fill(SENTENCES.levers, 'hosts' in lever ? { ...lever, hosts: hostsInWords(lever.hosts) } : lever);
}

function hostsInWords(hosts: Hosts): string {
  if ('address' in hosts) return hosts.address;
  if ('addresses' in hosts)
    return hosts.addresses.length === 1 ? (hosts.addresses[0] ?? '') : `${hosts.addresses.length} hosts`;
  const parts = Object.values(hosts.locality).filter((name) => name !== '');
  return `${kindOf(hosts.locality)} ${parts.join('/')}`;
}

function clusterPath(text: string, name: string): Path {
  const index = namesIn(text, 'clusters').indexOf(name);
  if (index < 0) throw new CannotEdit(`this text has no cluster ${name}`);
  return ['clusters', index];
}

function selector(hosts: Exclude<Hosts, { readonly addresses: readonly string[] }>): string {
  if ('address' in hosts) return quoted(hosts.address);
  const parts = Object.entries(hosts.locality).map(([part, name]) => `${part}: ${quoted(name)}`);
  const place = kindOf(hosts.locality) === 'zone' ? parts.join() : `locality: {${parts.join(', ')}}`;
  return `{cluster: ${quoted(hosts.cluster)}, ${place}}`;
}

/** JSON is YAML: any name stays one text. */
function quoted(text: string): string {
  return /^[\w.-]+(?::\d+)?$/.test(text) && !/^[\d.]+$/.test(text) && !/^(?:true|false|null|yes|no|~)$/i.test(text)
    ? text
    : JSON.stringify(text);
}
