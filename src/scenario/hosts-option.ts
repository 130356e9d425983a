import { addAll } from '../core/lists.js';
import { check, SourceDocument } from '../config/reader.js';
import { fileProblem, type Problem } from '../core/problem.js';
import { Endpoint, type EndpointSpec } from './endpoints.js';
import type { MapNode, SourceNode } from '../config/source/document.js';
import { isMap, mapNode, valueAt, withField } from '../config/source/trees.js';

/** A parsed `--hosts CLUSTER=LIST`: clusters and hosts. */
export interface HostsOption {
  /** Its name in problems. */
  readonly label: string;
  /** A name, or a pattern with `*`. */
  readonly clusters: string;
  readonly items: readonly HostsItem[];
}

/** One item of a list: an address, or a number of hosts to make up; and its settings. */
export interface HostsItem {
  /** undefined: `spec` has the address. */
  readonly madeUp: number | undefined;
  readonly spec: EndpointSpec;
}

/** The number of addresses available for made-up hosts. */
export const MAX_MADE_UP = 131_000;

const USAGE = 'write CLUSTER=ADDRESS,ADDRESS or CLUSTER=NUMBER, as backend=10.0.0.1:80,10.0.0.2:80@zone=b or backend=3';
const SPAN = { start: 0, end: 1 };

/** @param names of all clusters: they may contain an equals sign. */
export function parseHostsOption(option: string, names: readonly string[]): HostsOption | readonly Problem[] {
  const label = `--hosts ${option.replaceAll(/[\r\n]/g, ' ')}`;
  const known = names
    .filter((name) => option.startsWith(`${name}=`))
    .reduce((a, b) => (a.length > b.length ? a : b), '');
  const equals = known === '' ? option.indexOf('=') : known.length;
  const list = option.slice(equals + 1);
  if (equals <= 0 || list.trim() === '') return [fileProblem(label, 'hosts', USAGE)];
  const items: HostsItem[] = [];
  const problems: Problem[] = [];
  for (const text of list.split(',')) {
    const item = parseItem(text.trim(), label);
    if ('spec' in item) items.push(item);
    else addAll(problems, item);
  }
  return problems.length > 0 ? problems : { label, clusters: option.slice(0, equals), items };
}

/** `10.0.0.1:80@zone=b@weight=3`, or `3@zone=b` */
function parseItem(text: string, label: string): HostsItem | readonly Problem[] {
  const refuse = (message: string): readonly Problem[] => [fileProblem(label, 'hosts', message)];
  const [head = '', ...attributes] = text.split('@');
  const madeUp = /^\d+$/.test(head) ? Number(head) : undefined;
  if (madeUp !== undefined && (madeUp === 0 || madeUp > MAX_MADE_UP)) {
    return refuse(`${head} hosts are out of range: allowed are 1 to ${MAX_MADE_UP}`);
  }
  // A placeholder until addresses are chosen.
  let fields = mapNode({ address: scalarOf(madeUp === undefined ? head : '0.0.0.0:80') }, SPAN);
  for (const attribute of attributes) {
    const equals = attribute.indexOf('=');
    const path = attribute.slice(0, equals).split('.');
    const [first = ''] = path;
    if (equals <= 0 || first === 'address' || (first === 'count' && madeUp !== undefined)) {
      return refuse(`after @ write what else is known of a host, as @zone=b; found @${attribute}`);
    }
    fields = withPath(fields, path, scalarOf(attribute.slice(equals + 1)));
  }
  const document = new SourceDocument([{ file: label, text, json: false, option: true }], fields);
  const { value, problems } = check(Endpoint, document, { vocabulary: 'scenario' });
  return value === undefined ? problems : { madeUp, spec: value };
}

/** Values are read as YAML; a value in double quotes is a text. */
function scalarOf(text: string): SourceNode {
  const quoted = /^"(.*)"$/.exec(text)?.[1];
  return { kind: 'scalar', text: quoted ?? text, quoted: quoted !== undefined, ...SPAN };
}

/** `metadata.version=v2` */
function withPath(node: MapNode, [first = '', ...rest]: readonly string[], value: SourceNode): MapNode {
  if (rest.length === 0) return withField(node, first, value, SPAN);
  const inner = valueAt(node, first);
  const map = isMap(inner) ? inner : mapNode({}, SPAN);
  return withField(node, first, withPath(map, rest, value), SPAN);
}
