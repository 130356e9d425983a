/**
 * The proxy's API as text tables (src/config/api): from protobuf definitions to one line a field. `node scripts/api-tables.mjs` writes
 * v3.txt and telling-fields.txt from the definitions of a development package, from newer.txt, which holds what the proxy has beyond that
 * package, and from words.txt, which says what we say of the fields that only v3 has.
 *
 * The same definitions give the same bytes.
 */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import protobuf from 'protobufjs';
import { root } from './files.mjs';

const OWN = 'envoy.';
const FOLDER = 'src/config/api';

/** Definitions of streams between a proxy and its management servers hold nothing that a file can have. */
const FILES = [
  /^envoy\/(?:config|extensions|type)\//,
  /^envoy\/admin\/v3\/(?:clusters|config_dump|config_dump_shared)\.proto$/,
  /^envoy\/service\/discovery\/v3\/discovery\.proto$/,
];
const OLD = /\/v[12](?:alpha\d*)?\//;

// --- definitions → messages and enumerations --------------------------------------------------------------------

/** @returns {{messages: Map<string, object>, enums: Map<string, string>}} by name without `envoy.`. */
function readDefinitions() {
  const deps = join(dirname(createRequire(import.meta.url).resolve('@grpc/grpc-js-xds/package.json')), 'deps');
  const below = ['envoy-api', 'xds', 'protoc-gen-validate', 'googleapis'].map((folder) => join(deps, folder));
  const definitions = new protobuf.Root();
  definitions.resolvePath = (_, target) => below.map((folder) => join(folder, target)).find(existsSync) ?? null;
  // Extensions of options and foreign formats are referred to and never needed.
  definitions.resolveAll = () => definitions;
  const files = readdirSync(below[0], { recursive: true })
    .map((path) => String(path).replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.proto') && FILES.some((wanted) => wanted.test(path)) && !OLD.test(path))
    .sort();
  definitions.loadSync(files, { keepCase: true });
  const messages = new Map();
  const enums = new Map();
  collect(definitions, messages, enums);
  return { messages, enums };
}

function collect(space, messages, enums) {
  for (const part of space.nestedArray ?? []) {
    const full = part.fullName.slice(1);
    if (part instanceof protobuf.Enum) {
      if (full.startsWith(OWN) || full.startsWith('xds.')) enums.set(short(full), enumLine(part));
    } else if (part instanceof protobuf.Type) {
      if (full.startsWith(OWN) || full.startsWith('xds.')) messages.set(short(full), messageLines(part, full));
    }
    if (part instanceof protobuf.Namespace) collect(part, messages, enums);
  }
}

const short = (full) => (full.startsWith(OWN) ? full.slice(OWN.length) : full);

function enumLine(part) {
  let next = 0;
  const values = Object.entries(part.values)
    .sort(([, a], [, b]) => a - b)
    .map(([name, number]) => {
      const options = part.valuesOptions?.[name] ?? {};
      const disallowed = options['(envoy.annotations.disallowed_by_default_enum)'] === true;
      const mark = disallowed ? '!' : options.deprecated === true ? '-' : '';
      const text = `${mark}${name}${number === next ? '' : `:${number}`}`;
      next = number + 1;
      return text;
    });
  return values.join(' ');
}

function messageLines(part, full) {
  const required = part.oneofsArray
    .filter((oneof) => optionsOf(oneof)['(validate.required)'] === true)
    .map(({ name }) => name);
  const previous = optionsOf(part)['(udpa.annotations.versioning)']?.previous_message_type;
  const head = [...(previous === undefined ? [] : [`<${short(previous)}`]), ...required.map((name) => `!${name}`)].join(
    ' ',
  );
  return { head, fields: new Map(part.fieldsArray.map((field) => [field.name, fieldText(field, full)])) };
}

/** All options of a part, however they were written. */
function optionsOf(part) {
  const merged = {};
  for (const option of part.parsedOptions ?? []) merge(merged, option);
  return { ...part.options, ...merged };
}

function merge(into, from) {
  for (const [key, value] of Object.entries(from)) {
    const both = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (both) merge((into[key] ??= {}), value);
    else into[key] = into[key] === undefined ? value : [into[key], value].flat();
  }
}

const WELL_KNOWN = 'google.protobuf.';

function fieldText(field, owner) {
  try {
    field.resolve();
  } catch {
    // A foreign format: its name is all that is known.
  }
  const options = optionsOf(field);
  const { type, isEnum } = typeOf(field, owner);
  const key = field.map && field.keyType !== 'string' ? field.keyType : '';
  const label = field.map ? `{${key}}` : field.repeated ? '[]' : '';
  const oneof = field.partOf !== null && !field.options?.proto3_optional ? [`oneof=${field.partOf.name}`] : [];
  const marks = [
    ...oneof,
    ...(options.deprecated === true ? ['deprecated'] : []),
    ...(options['(envoy.annotations.disallowed_by_default)'] === true ? ['disallowed'] : []),
    ...(options['(udpa.annotations.sensitive)'] === true ? ['sensitive'] : []),
  ];
  return [`${label}${isEnum ? '=' : ''}${type}`, ...marks, ...limits(options['(validate.rules)'] ?? {})].join(' ');
}

function typeOf(field, owner) {
  const full = field.resolvedType?.fullName.slice(1) ?? field.type.replace(/^\./, '');
  const isEnum = field.resolvedType instanceof protobuf.Enum;
  if (full.startsWith(WELL_KNOWN)) return { type: full.slice(WELL_KNOWN.length), isEnum };
  // What stands in the message itself, by its last part.
  if (full.startsWith(`${owner}.`)) return { type: full.slice(owner.length), isEnum };
  return { type: short(full), isEnum };
}

// --- constraints ------------------------------------------------------------------------------------------------

const COMPARISONS = { gte: '>=', gt: '>', lte: '<=', lt: '<' };
const LENGTHS = {
  min_len: 'len>=',
  max_len: 'len<=',
  min_bytes: 'bytes>=',
  max_bytes: 'bytes<=',
  min_items: 'items>=',
  max_items: 'items<=',
  min_pairs: 'items>=',
  max_pairs: 'items<=',
};
const KNOWN_REGEX = {
  HTTP_HEADER_NAME: 'header-name',
  HTTP_HEADER_VALUE: 'header-value',
  1: 'header-name',
  2: 'header-value',
};

/** The constraint annotations of a field, a word each. */
export function limits(rules) {
  return Object.entries(rules).flatMap(([kind, rule]) => limitsOf(kind, rule));
}

function limitsOf(kind, rule) {
  if (kind === 'repeated' || kind === 'map') {
    const { items, keys, values, ...own } = rule;
    const inner = (prefix, rules) => (rules === undefined ? [] : limits(rules).map((word) => `${prefix}:${word}`));
    return [...words(own), ...inner('each', items ?? values), ...inner('keys', keys)];
  }
  return words(rule);
}

function words(rule) {
  const { well_known_regex: known, strict, ...rest } = rule;
  const regex = known === undefined ? [] : [`${KNOWN_REGEX[known]}${strict === false ? '?' : ''}`];
  return [...regex, ...Object.entries(rest).flatMap(([name, value]) => word(name, value))];
}

function word(name, value) {
  if (COMPARISONS[name] !== undefined) return [`${COMPARISONS[name]}${comparand(value)}`];
  if (LENGTHS[name] !== undefined) return [`${LENGTHS[name]}${value}`];
  switch (name) {
    case 'required':
      return value ? ['required'] : [];
    case 'skip':
    case 'no_sparse':
      return [];
    case 'defined_only':
      return value ? ['defined'] : [];
    case 'unique':
      return value ? ['unique'] : [];
    case 'ignore_empty':
      return value ? ['or-empty'] : [];
    case 'uri':
    case 'ip':
    case 'hostname':
    case 'address':
      return [name];
    case 'const':
      return [`const=${value}`];
    case 'in':
      return [`in=${[value].flat().join('|')}`];
    case 'not_in':
      return [`not=${[value].flat().join('|')}`];
    case 'len':
      return [`len>=${value}`, `len<=${value}`];
    case 'prefix':
    case 'suffix':
    case 'pattern':
      return [`${name}=${JSON.stringify(value).replaceAll(' ', '\\u0020')}`];
    default:
      throw new Error(`a constraint that the tables do not know: ${name}`);
  }
}

/** `{seconds: 1, nanos: 0}` is `1s`. */
function comparand(value) {
  if (typeof value !== 'object') return String(value);
  const seconds = Number(value.seconds ?? 0) + Number(value.nanos ?? 0) / 1e9;
  return `${seconds}s`;
}

// --- tables -----------------------------------------------------------------------------------------------------

/** @returns the table as text: messages, then enumerations, each by name. */
function tableText({ messages, enums }) {
  const lines = [];
  for (const [name, { head, fields }] of sorted(messages)) {
    lines.push(head === '' ? name : `${name} ${head}`);
    for (const [field, text] of fields) lines.push(` ${field} ${text}`);
  }
  for (const [name, values] of sorted(enums)) lines.push(`=${name} ${values}`);
  return `${lines.join('\n')}\n`;
}

const sorted = (map) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

/** Everything that a configuration, or a page of the admin interface, can hold. */
const ROOTS = [
  'config.bootstrap.v3.Bootstrap',
  'service.discovery.v3.DiscoveryResponse',
  'admin.v3.Clusters',
  'admin.v3.ConfigDump',
  'admin.v3.BootstrapConfigDump',
  'admin.v3.ListenersConfigDump',
  'admin.v3.ClustersConfigDump',
  'admin.v3.RoutesConfigDump',
  'admin.v3.ScopedRoutesConfigDump',
  'admin.v3.EndpointsConfigDump',
  'admin.v3.SecretsConfigDump',
  'admin.v3.EcdsConfigDump',
  'config.cluster.v3.Cluster',
  'config.endpoint.v3.ClusterLoadAssignment',
  'config.route.v3.RouteConfiguration',
];

/** @returns what the roots, and extensions at any place, refer to. */
function reachable({ messages, enums }) {
  const found = new Set();
  const open = [
    ...ROOTS,
    ...[...messages.keys()].filter((name) =>
      /^extensions\.|^config\.(?:metrics|trace|accesslog|grpc_credential)\./.test(name),
    ),
  ];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name) || !(messages.has(name) || enums.has(name))) continue;
    found.add(name);
    for (const text of messages.get(name)?.fields.values() ?? []) {
      const type = text.split(' ')[0].replace(/^(?:\[\]|\{\w*\})?=?/, '');
      open.push(type.startsWith('.') ? `${name}${type}` : type);
    }
  }
  const kept = (map) => new Map([...map].filter(([name]) => found.has(name)));
  return { messages: kept(messages), enums: kept(enums) };
}

/** Adds a table's text: further fields and messages, other forms of known ones, and ` -field` for one that is gone. */
function amend({ messages, enums }, text) {
  let fields;
  for (const line of text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))) {
    const [first, ...rest] = line.trim().split(' ');
    const after = rest.join(' ');
    if (line.startsWith('=')) enums.set(first.slice(1), after);
    else if (!line.startsWith(' ')) {
      fields = messages.get(first)?.fields ?? new Map();
      messages.set(first, { head: after, fields });
    } else if (first.startsWith('-')) fields.delete(first.slice(1));
    else fields.set(first, after);
  }
}

/** Adds words behind fields: ` field # words`, below the name of their message, which may have words, too. */
function annotate({ messages }, text) {
  let fields;
  for (const line of text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))) {
    const [, name, words] = /^(\S+)(?: (# .*))?$/.exec(line.trim()) ?? [];
    if (!line.startsWith(' ')) {
      const message = messages.get(name);
      fields = message?.fields;
      if (message === undefined) throw new Error(`words of a message that there is not: ${name}`);
      if (words !== undefined) message.head = `${message.head} ${words}`.trim();
    } else if (!fields?.has(name) || words === undefined) throw new Error(`words of no field: ${line}`);
    else fields.set(name, `${fields.get(name)} ${words}`);
  }
}

/** The table of v3 as text. */
export function v3Text() {
  const definitions = readDefinitions();
  amend(definitions, readFileSync(join(root, FOLDER, 'newer.txt'), 'utf8'));
  annotate(definitions, readFileSync(join(root, FOLDER, 'words.txt'), 'utf8'));
  return tableText(reachable(definitions));
}

/** Messages whose fields say which API a file is written in: those of clusters, hosts, health checks, routes, bootstraps. */
const TELLING =
  /^config\.(?:bootstrap|cluster|endpoint|route)\.v3\.(?!RateLimit)|^config\.core\.v3\.(?:Address|ConfigSource|HealthCheck|Http2?ProtocolOptions|Metadata|TypedExtensionConfig)/;

/** Names of several words that no field has which was in v2 from the start. */
function extendedFields(v2) {
  const all = v2.names.map((name) => v2.message(name));
  const isOld = ({ texts }) => texts.since === undefined;
  const typesOf = (isWanted) => new Set(all.flatMap(({ fields }) => fields.filter(isWanted).map(({ type }) => type)));
  const [old, newer] = [typesOf(isOld), typesOf((field) => !isOld(field))];
  const isNew = ({ name }) => newer.has(name) && !old.has(name);
  const former = new Set(
    all.flatMap((message) => (isNew(message) ? [] : message.fields.filter(isOld).map(({ name }) => name))),
  );
  const names = new Set(all.flatMap(({ fields }) => fields.map(({ name }) => name)));
  return [...names].filter((name) => name.includes('_') && !former.has(name));
}

/**
 * Which API a file is written in is asked of each file, and most are read without the tables of v3.
 *
 * @param v2 both as `apiOf` gives them.
 */
export function tellingFieldsText(v2, v3) {
  const fieldsOf = (api, messages) =>
    api.names
      .filter((name) => messages.test(name))
      .flatMap((name) => api.message(name).fields.map((field) => field.name));
  const own = /^config\.bootstrap\.v\d\.Bootstrap$/;
  const known = new Set(fieldsOf(v2, own));
  const bootstrap = new Set(fieldsOf(v3, own).filter((name) => !known.has(name)));
  const former = new Set(fieldsOf(v2, /./));
  const isNewer = (name) => name.includes('_') && !former.has(name) && !bootstrap.has(name);
  const later = new Set(fieldsOf(v3, TELLING).filter(isNewer));
  const today = new Set(fieldsOf(v3, /./));
  const older = [...former].filter((name) => name.includes('_') && !today.has(name));
  const extended = extendedFields(v2);
  const lines = (names) => [...names].map((name) => ` ${name}\n`).join('');
  return `${WRITTEN}
# Fields that a proxy's own configuration has in v3 alone.
bootstrap
${lines(bootstrap)}
# Other fields that v3 has and no message of v2, whose names are of several words, so that no other format has them by chance.
newer
${lines(later)}
# The same the other way round: of v2 alone.
older
${lines(older)}
# Fields that came after v2 and that a scenario may use in its clusters all the same.
extended
${lines(extended)}`;
}

async function main() {
  writeFileSync(join(root, FOLDER, 'v3.txt'), `${WRITTEN}\n${v3Text()}`);
  await import('./typescript-register.mjs');
  const { apiOf } = await import('../src/config/api/api.ts');
  writeFileSync(join(root, FOLDER, 'telling-fields.txt'), tellingFieldsText(apiOf('v2'), apiOf('v3')));
}

const WRITTEN = '# Written by scripts/api-tables.mjs (node scripts/api-tables.mjs).';

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
