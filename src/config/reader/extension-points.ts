import { entryOf } from '../../core/values.js';
import { apiOf, type ApiField, type ApiMessage } from '../api/api.js';
import { KNOWN_NAMES } from '../generated/known-names.js';
import type { SourceNode } from '../source/document.js';
import { fieldOf, isAbsent, isMap, textOf, valueAt } from '../source/trees.js';
import { messageOfUrl, typeOfUrl } from './any-value.js';
import type { Walk } from './context.js';
import type { Before } from './schema.js';
import { headSpan, keySpan, type Span } from './spans.js';

const FOUND_OTHERWISE: ReadonlySet<string> = new Set(KNOWN_NAMES.found_otherwise);
const NEED_A_DEFAULT: ReadonlySet<string> = new Set(KNOWN_NAMES.need_a_default);

/** Types that are those of no extension. */
const ANY_MAP: ReadonlySet<string> = new Set([
  '',
  ...['Struct', 'Any', 'Empty'].map((one) => `google.protobuf.${one}`),
]);

/**
 * The check of the extensions that a message of v3 holds; undefined: none.
 * In v3 an extension is found by the type of its `typed_config` alone: one that has only a name, or the type of any map,
 * keeps a 1.40 from starting (filters of every kind, access logs, tracers, resource monitors, transport sockets). A filter
 * that `is_optional`, or comes by `config_discovery`, may do without. Each was asked of a 1.40 with `--mode validate`.
 * @param isIdle whether a field has no effect on a run: there a mistake is a warning.
 */
export function extensionCheck(table: ApiMessage, isIdle: (field: string) => boolean): Before | undefined {
  const own = isExtension(table) ? table : undefined;
  const fields = table.fields.filter((field) => settingsOf(field) || extensionOf(field, table) !== undefined);
  const isCluster = table.name === 'config.cluster.v3.Cluster';
  if (fields.length === 0 && own === undefined) return undefined;
  return (node, walk) => {
    if (isCluster) checkResolver(node, walk);
    // One that stands alone has nobody who looks at it.
    if (own !== undefined && walk.path.length === 0) checkExtension(node, own, walk);
    for (const field of fields) {
      const entry = fieldOf(node, field.name);
      if (entry === undefined) continue;
      const idle = settingsOf(field) || isIdle(field.name) ? 1 : 0;
      walk.idle += idle;
      walk.path.push(field.name);
      const extension = extensionOf(field, table);
      for (const [step, item, name] of partsOf(entry.value, field)) {
        if (step !== undefined) walk.path.push(step);
        if (extension === undefined) checkSettings(item, { name, span: keySpan(entry) }, walk);
        else if (!isOptional(node)) checkExtension(item, extension, walk);
        if (step !== undefined) walk.path.pop();
      }
      walk.path.pop();
      walk.idle -= idle;
    }
  };
}

/** The resolver of a cluster is looked for where names are resolved; the usual one, where it has no type. */
function checkResolver(node: SourceNode, walk: Walk): void {
  const resolver = fieldOf(node, 'typed_dns_resolver_config');
  const typed = valueAt(resolver?.value, 'typed_config');
  if (resolver === undefined || typed === undefined || typeIn(typed) === '' || !namesNothing(typed)) return;
  if (!/^(?:STRICT|LOGICAL)_DNS$/i.test(textOf(valueAt(node, 'type')) ?? '')) return;
  const name = textOf(valueAt(resolver.value, 'name')) ?? '';
  walk.idle += 1;
  notFound(name, typeIn(typed), keySpan(resolver), walk, 'typed_dns_resolver_config', 'typed_config');
  walk.idle -= 1;
}

/** Settings by the name of a filter. */
const settingsOf = ({ name, label }: ApiField): boolean => label === 'map' && name === 'typed_per_filter_config';

function extensionOf({ name, kind, type }: ApiField, table: ApiMessage): ApiMessage | undefined {
  if (kind !== 'message' || FOUND_OTHERWISE.has(`${table.name}.${name}`)) return undefined;
  const message = apiOf('v3').message(type);
  return message !== undefined && isExtension(message) ? message : undefined;
}

function isExtension({ name, fields }: ApiMessage): boolean {
  const typed = fields.find((field) => field.name === 'typed_config');
  return typed?.type === 'Any' && typed.label === 'one' && !FOUND_OTHERWISE.has(name);
}

type Part = readonly [step: string | number | undefined, node: SourceNode, name: string];

function partsOf(node: SourceNode, { label }: ApiField): readonly Part[] {
  if (label === 'repeated') return node.kind === 'list' ? node.items.map((item, index) => [index, item, '']) : [];
  if (label === 'map') return node.kind === 'map' ? node.entries.map(({ key, value }) => [key, value, key]) : [];
  return [[undefined, node, '']];
}

const isOptional = (node: SourceNode): boolean => textOf(valueAt(node, 'is_optional')) === 'true';

function checkExtension(node: SourceNode, table: ApiMessage, walk: Walk): void {
  if (!isMap(node)) return;
  const named = fieldOf(node, 'name');
  const name = textOf(named?.value) ?? '';
  const discovery = fieldOf(node, 'config_discovery');
  if (discovery !== undefined) {
    checkDiscovery(discovery.value, name, NEED_A_DEFAULT.has(table.name), walk);
    return;
  }
  if (isOptional(node)) return;
  const typed = fieldOf(node, 'typed_config');
  const [naming, typing] = ['name', 'typed_config'].map((one) => table.fields.find((field) => field.name === one));
  // What must be there at all is said by the limits of the message; without a name nothing need be there.
  const isSaid = typing?.required === true || naming === undefined || (name === '' && naming.limits.includes('len>=1'));
  if (typed === undefined && isSaid) return;
  const type = typeIn(typed?.value);
  if (!namesNothing(typed?.value)) return;
  const where = type !== '' && typed !== undefined ? typed : named;
  const at = where === undefined ? headSpan(node) : where === named ? where.value : keySpan(where);
  notFound(name, type, at, walk, ...(where === undefined ? [] : [where === named ? 'name' : 'typed_config']));
}

function checkSettings(node: SourceNode, { name, span }: { name: string; span: Span }, walk: Walk): void {
  const at = isAbsent(node) ? span : headSpan(node);
  const type = typeIn(node);
  if (namesNothing(node)) {
    notFound(name, type, at, walk);
    return;
  }
  if (type !== 'config.route.v3.FilterConfig') return;
  if (textOf(valueAt(node, 'disabled')) === 'true') return;
  const config = fieldOf(node, 'config');
  if (config === undefined) {
    const text = `Empty route/virtual host per filter configuration for ${name} filter: write config, or disabled: true`;
    walk.report('error', 'extension-config', text, at);
    return;
  }
  const inner = typeIn(config.value);
  const isTyped = fieldOf(config.value, '@type') !== undefined;
  if (isTyped && namesNothing(config.value) && !isOptional(node))
    notFound(name, inner, keySpan(config), walk, 'config');
}

function checkDiscovery(node: SourceNode, name: string, needsDefault: boolean, walk: Walk): void {
  const report = (text: string, at: Span, ...steps: readonly string[]): void =>
    walk.report('error', 'extension-config', text, at, [...walk.path, 'config_discovery', ...steps]);
  const given = fieldOf(node, 'default_config');
  if (given === undefined) {
    const hasty = fieldOf(node, 'apply_default_config_without_warming');
    if (!needsDefault || hasty === undefined || textOf(hasty.value) !== 'true') return;
    const text = `filter config ${name} applied without warming but has no default config: write default_config with its @type, or leave ${hasty.key} out`;
    report(text, keySpan(hasty), 'apply_default_config_without_warming');
    return;
  }
  const type = typeIn(given.value);
  if (namesNothing(given.value)) {
    const text = `cannot find filter factory ${name} for default filter configuration with type URL '${type}'${asTyped(name)}`;
    report(text, keySpan(given), 'default_config');
    return;
  }
  const urls = valueAt(node, 'type_urls');
  const types = urls?.kind === 'list' ? urls.items.map((url) => typeOfUrl(textOf(url) ?? '')) : [];
  if (types.length === 0 || types.includes(type)) return;
  const text = `filter config has type URL ${type} but expect ${types.join(', ')}: add it to type_urls`;
  report(text, keySpan(given), 'default_config');
}

/** The type of a message, by {@link typeOfUrl}; of a TypedStruct that of what it holds. Empty: none is written. */
function typeIn(node: SourceNode | undefined): string {
  const type = typeOfUrl(textOf(valueAt(node, '@type')) ?? '');
  return isTypedStruct(type) ? typeOfUrl(textOf(valueAt(node, 'type_url')) ?? '') : type;
}

const isTypedStruct = (type: string): boolean => /^(?:xds\.type\.v3|udpa\.type\.v1)\.TypedStruct$/.test(type);

/** Whether no extension has the type: it is any map, or a TypedStruct of a message that the API has not. */
function namesNothing(node: SourceNode | undefined): boolean {
  const type = typeIn(node);
  if (ANY_MAP.has(type)) return true;
  const isWrapped = isTypedStruct(typeOfUrl(textOf(valueAt(node, '@type')) ?? ''));
  return isWrapped && messageOfUrl(textOf(valueAt(node, 'type_url')) ?? '') === undefined;
}

/** Told once for each name: thousands of listeners may have the same filter. */
function notFound(name: string, type: string, at: Span, walk: Walk, ...path: readonly string[]): void {
  const text = `Didn't find a registered implementation for '${name}' with type URL: '${type}'; in v3 an extension is found by the type of its typed_config${asTyped(name)}`;
  walk.path.push(...path);
  walk.once(`extension ${name} ${type}`, 'error', 'extension-config', text, at);
  walk.path.length -= path.length;
}

const suggested = new Map<string, string>();

/** The type of an extension with a usual name, to paste: `envoy.filters.http.router` is a `…router.v3.Router`. */
const asTyped = (name: string): string =>
  entryOf(suggested, name, () => {
    const parts = /^(?:envoy|proxy)\.((?:\w+\.)+(\w+))$/.exec(name);
    if (parts === null) return '';
    const [, place = '', last = ''] = parts;
    const message = last.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const type = `extensions.${place}.v3.${message}`;
    return apiOf('v3').has(type) ? `: write typed_config: {"@type": type.googleapis.com/envoy.${type}}` : '';
  });
