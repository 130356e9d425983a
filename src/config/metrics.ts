/** config.metrics.v2: which statistics exist, how their names become tags, and where they are sent. */
import { any } from './reader/api-schema.js';
import { canonicalName } from '../core/proxy-names.js';
import { typeOfUrl } from './reader/any-value.js';
import type { ProblemRule } from '../core/problem.js';
import type { Sink } from '../settings/world.js';
import type { Messages } from './api/generated/read-messages.js';
import { ipProblem } from './address.js';
import * as readers from './reader.js';
import { messageWith } from './reader/message.js';
import { locate } from './reader/spans.js';
import { readerOf } from './reader/walk.js';
import { regexProblem } from '../core/regex/linear-regex.js';
import type { SourceNode } from './source/document.js';
import { valueAt } from './source/trees.js';
import { KNOWN_NAMES } from './generated/known-names.js';

const addressRule = readers.valid(
  'ip-address',
  'address',
  'The address is an IP address and a port, not a name.',
  ipProblem,
);

const StatsdSink = readers.message('config.metrics.v2.StatsdSink', addressRule);
const TaggedStatsdSink = readers.message('config.metrics.v2.TaggedStatsdSink', addressRule);
const DashboardSink = readers.message('config.metrics.v2.DashboardSink');

/** Sinks whose configuration is read, by their names and the names of their messages. */
const SINKS = {
  statsd: { schema: StatsdSink, names: ['stat_sinks.statsd', 'statsd'], types: ['StatsdSink'] },
  tagged_statsd: {
    schema: TaggedStatsdSink,
    names: ['stat_sinks.tagged_statsd', 'stat_sinks.dog_statsd', 'dog_statsd'],
    types: ['TaggedStatsdSink', 'DogStatsdSink'],
  },
  dashboard: {
    schema: DashboardSink,
    names: ['stat_sinks.dashboard', 'stat_sinks.hystrix'],
    types: ['DashboardSink', 'HystrixSink'],
  },
};
type OwnSink = keyof typeof SINKS;
const OWN_SINKS = Object.keys(SINKS) as readonly OwnSink[];

/** Sinks of the proxy that are not simulated, by the last part of their names. */
const FOREIGN_SINKS = /^proxy\.(?:.*\.)?(?:metrics_service|open_telemetry|graphite_statsd|wasm|dynamic_modules)$/s;

const SINK_NAMES = OWN_SINKS.map((kind) => `proxy.stat_sinks.${kind}`);

const sinkTypes = Object.fromEntries(
  Object.values(SINKS).flatMap(({ schema, types }) =>
    types.flatMap((type) => ['v2', 'v3'].map((version) => [`config.metrics.${version}.${type}`, schema])),
  ),
);

const StatsSinkFields = messageWith('config.metrics.v2.StatsSink', {
  own: () => ({ typed_config: any({ types: sinkTypes }) }),
});

export type StatsSink = readers.Output<typeof StatsSinkFields> & { readonly sink: Sink };

/** config.metrics.v2.StatsSink. Its `sink` is the configuration, from `config` or `typed_config`. */
export const StatsSink: readers.Schema<StatsSink> = readers.mark(
  readers.reading<StatsSink>('config.metrics.v2.StatsSink', readSink),
  StatsSinkFields.marks,
);

function readSink(node: SourceNode, walk: readers.Walk): StatsSink | typeof readers.INVALID {
  const fields = readerOf(StatsSinkFields)(node, walk);
  if (fields === readers.INVALID) return readers.INVALID;
  const { name, config, typedConfig } = fields;
  const fail = (rule: ProblemRule, text: string, at: string): typeof readers.INVALID => {
    const path = [...walk.path, at];
    walk.report('error', rule, text, locate(node, [at]), path);
    return readers.INVALID;
  };
  const type = typedConfig?.type.split('.').at(-1) ?? '';
  const typed = OWN_SINKS.find((one) => SINKS[one].types.includes(type));
  const named = OWN_SINKS.find((one) => SINKS[one].names.some((known) => canonicalName(name) === `proxy.${known}`));
  // In v3 only the type decides which sink it is.
  const kind = named ?? (walk.apiOf(node) === 'v3' ? typed : undefined);
  if (kind === undefined) {
    if (isForeign(fields)) {
      const text = `${name} is not simulated: nothing is sent to it`;
      walk.report('warning', 'not-simulated', text, locate(node, ['name']), [...walk.path, 'name']);
      return { ...fields, sink: { kind: 'foreign' } };
    }
    const text = name === '' ? 'name is required' : `${name} is not a sink${readers.didYouMean(name, SINK_NAMES)}`;
    return fail('sink-name', `${text}; supported are ${SINK_NAMES.join(', ')}`, 'name');
  }
  if (typedConfig !== undefined) {
    if (typedConfig.type === 'google.protobuf.Struct') return sinkFromStruct(kind, fields, node, walk);
    if (typed !== kind)
      return fail('sink-type', `${typeOfUrl(typedConfig.typeUrl)} is not the configuration of ${name}`, 'typed_config');
    return { ...fields, sink: { kind, ...(typedConfig.value as object) } as Sink };
  }
  if (config === undefined)
    return fail('extension-config', `sink ${name} has no typed_config; the proxy takes its type from there`, 'name');
  return sinkFromStruct(kind, fields, node, walk);
}

function isForeign({ name, typedConfig }: readers.Output<typeof StatsSinkFields>): boolean {
  if (FOREIGN_SINKS.test(canonicalName(name))) return true;
  const type = typedConfig?.type ?? '';
  return type.includes('.stat_sinks.') || /\.metrics\.v\d\.MetricsServiceConfig$/.test(type);
}

/** The same fields again, now that their type is known from the name. */
function sinkFromStruct(
  kind: OwnSink,
  fields: readers.Output<typeof StatsSinkFields>,
  node: SourceNode,
  walk: readers.Walk,
): StatsSink | typeof readers.INVALID {
  const steps = fields.config === undefined ? ['typed_config', 'value'] : ['config'];
  const part = valueAt(node, ...steps);
  walk.path.push(...steps);
  const value = readerOf<object>(SINKS[kind].schema)(part ?? { ...node, kind: 'map', entries: [] }, walk);
  walk.path.length -= steps.length;
  return value === readers.INVALID ? readers.INVALID : { ...fields, sink: { kind, ...value } as Sink };
}

const DEFAULT_TAG_NAMES: ReadonlySet<string> = new Set(KNOWN_NAMES.tags.map((name) => `proxy.${name}`));

readers.message(
  'config.metrics.v2.TagSpecifier',
  readers.rule('tag-specifier', ['tag_name', 'regex', 'fixed_value'], ({ tagName, regex = '', fixedValue }, report) => {
    if (fixedValue !== undefined) return;
    if (regex === '') {
      if (DEFAULT_TAG_NAMES.has(canonicalName(tagName))) return;
      const text = `No regex specified for tag specifier and no default regex for name: '${tagName}'`;
      report(text, ['tag_name']);
    } else if (tagName === '') report('tag_name cannot be empty', ['regex']);
    const problem = regexProblem(regex, 'ecmascript');
    if (problem !== undefined) report(problem, ['regex']);
  }),
);

export const StatsConfig = readers.message('config.metrics.v2.StatsConfig');
export type StatsConfig = Messages['config.metrics.v2.StatsConfig'];
