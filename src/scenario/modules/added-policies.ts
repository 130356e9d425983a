import { nearest } from '../../config/reader/error-words.js';
import { type AddedPolicies, type AddedTyped, type NamedPolicy, problemIn } from '../../config/reader/context.js';
import { INVALID, message, type Path, type Walk } from '../../config/reader.js';
import { snake } from '../../config/reader/letter-case.js';
import { keySpan } from '../../config/reader/spans.js';
import { readerOf } from '../../config/reader/walk.js';
import type { MapEntry, MapNode, SourceNode } from '../../config/source/document.js';
import { dropped, fieldOf, isMap, mapNode, textOf, valueAt } from '../../config/source/trees.js';
import { type Struct, entryOf, own, withoutField } from '../../core/values.js';
import type { Problem } from '../../core/problem.js';
import type { ClientSubsetConfig } from '../../policy/client-subsets.js';
import { CONTRIB, EXTENSIONS } from '../../policy/extensions.js';
import { adaptModule } from '../../policy/foreign/adapted-module.js';
import type { PolicyModule, SettingsSchema } from '../../policy/foreign/policy-module.js';
import * as registries from '../../policy/registry.js';
import { readSettings } from '../fields/policy-settings.js';
import { isModuleName, shapeProblems } from './module-shape.js';

export interface NamedModule {
  /** As written: `./my-policy.mjs`. */
  readonly text: string;
  readonly writtenIn: string;
  readonly place: Pick<Problem, 'file' | 'path' | 'line' | 'column' | 'length'>;
}

const SUBSETTING: SettingsSchema = {
  method: { type: 'string', enum: ['deterministic', 'aperture'] },
  size: { type: 'integer', minimum: 1 },
};

const HOW =
  'a module runs code, so it is loaded only where the command line allows it: pass --allow-code, or --policy NAME=FILE; a library call hands it over as `policies`, and the playground takes it as a file beside this one';

/** Fields of the long form of `lb_policy`. */
const LONG_FORM: readonly string[] = ['policy', 'settings', 'slow_start_config', 'subsetting'];

/** What typed policies have as those of the proxy. */
const SHARED: readonly string[] = [
  ...['locality_lb_config', 'locality_weighted_lb_config', 'slow_start_config', 'consistent_hashing_lb_config'],
];

const readSlowStart = readerOf(message('Cluster.SlowStartConfig'));

/** Policies that the proxy has not: our extensions, and modules that a call hands over. */
export class GivenPolicies implements AddedPolicies {
  /** Those that clusters name, loaded or not, each once. */
  readonly modules = new Map<string, NamedModule>();
  /** One for all clusters that name it, so that their policies are the same. */
  private readonly foreign = new Map<string, registries.ForeignPolicy>();

  /** @param given loaded modules, by the names that files use. */
  constructor(private readonly given: Readonly<Record<string, unknown>> = {}) {}

  /** That of a contrib policy is found by its message. */
  nameOf = (extension: SourceNode | undefined): string | undefined => {
    const type = textOf(valueAt(extension, 'typed_config', '@type'))?.replace(/^.*\//, '') ?? '';
    const name = own(CONTRIB, type) ?? textOf(valueAt(extension, 'name'));
    return name !== undefined && this.refersTo(name) ? name : undefined;
  };

  /** What a name stands for, in any case; undefined: no policy. */
  policyOf(text: string): registries.LbPolicy | undefined {
    if (registries.isProxyPolicy(text.toUpperCase())) return text.toUpperCase() as registries.LbPolicy;
    if (!Object.hasOwn(this.given, text)) return registries.moduleOf(text) && (text as registries.AddedPolicy);
    const module = this.given[text] as PolicyModule;
    if (shapeProblems(module).length > 0) return undefined;
    return entryOf(this.foreign, text, () => ({ name: text, module, policy: adaptModule(module) }));
  }

  /** `lb_policy: NAME` or `lb_policy: {policy: NAME, settings: {…}, slow_start_config: {…}, subsetting: {…}}`. */
  named = (node: SourceNode, walk: Walk): NamedPolicy | typeof INVALID | undefined => {
    const long = isMap(node) ? node : undefined;
    const name = long === undefined ? node : valueAt(long, 'policy');
    const text = textOf(name);
    if (name === undefined || text === undefined || (long === undefined && !this.refersTo(text))) return undefined;
    const { errors } = walk;
    const field = (one: string): MapEntry | undefined => fieldOf(long, one);
    const subset = field('subsetting');
    // The proxy's own has the long form for its subsetting alone, which may be misspelt.
    const isStrange = long?.entries.some(({ key }) => !LONG_FORM.includes(snake(key))) === true;
    const isProxys = registries.NAMED_POLICIES.some((one) => one === text) && (subset !== undefined || isStrange);
    this.refuseStrangers(long, isProxys ? ['policy', 'subsetting'] : LONG_FORM, walk);
    const module = isProxys ? undefined : this.find(text, name, walk, long === undefined ? [] : ['policy']);
    const isTable = isProxys ? registries.isTablePolicy(text) : module?.kind === 'table';
    const clientSubset = subset && this.subsetting(subset, isTable, walk);
    const settings = isProxys ? {} : this.settingsOf(module, field('settings'), name, walk, 'settings');
    const slowStartConfig = isProxys ? undefined : this.slowStart(field('slow_start_config'), isTable, walk);
    if (walk.errors > errors || slowStartConfig === INVALID) return INVALID;
    const policy = this.policyOf(text) as NamedPolicy['policy'];
    return { policy, settings, slowStartConfig, ...(clientSubset && { clientSubset }) };
  };

  typed = (name: string, extension: MapNode, walk: Walk): AddedTyped => {
    const at = fieldOf(extension, 'name')?.value ?? extension;
    const config = fieldOf(extension, 'typed_config');
    const shared = name === textOf(at) ? SHARED : [];
    const fields = structOf(config?.value);
    const { length } = walk.path;
    walk.path.length -= 1;
    const module = this.find(name, at, walk, ['name']);
    walk.path.push('typed_config');
    const given = config && fields ? { ...config, value: dropped(fields, ['@type', ...shared]) } : config;
    const settings = this.settingsOf(module, given, at, walk);
    walk.path.length = length;
    const entries = fields?.entries.filter(({ key }) => shared.includes(snake(key))) ?? [];
    return {
      policy: (this.policyOf(name) ?? name) as registries.AddedPolicy,
      settings,
      kind: module?.kind ?? 'list',
      parts: { ...mapNode({}, config?.value ?? extension), entries },
    };
  };

  /** Whether a name is that of a custom policy; other names are the proxy's reader's. */
  private refersTo(text: string): boolean {
    return (
      !registries.isProxyPolicy(text) &&
      (isModuleName(text) || Object.hasOwn(this.given, text) || Object.hasOwn(EXTENSIONS, text))
    );
  }

  /** @param steps from the walk's place to the name. */
  private find(text: string, node: SourceNode, walk: Walk, steps: Path): PolicyModule | undefined {
    const path = [...walk.path, ...steps];
    const refuse = (problem: string): void => walk.report('error', 'policy-module', problem, node, path);
    if (isModuleName(text)) {
      const writtenIn = walk.document.textOf(node);
      // Options apply to all files of the call.
      const file = writtenIn === undefined || writtenIn.option === true ? '' : writtenIn.file;
      const problem = problemIn(walk.document, node, path, 'note', 'policy-module', '');
      const place = withoutField(problem, 'severity', 'message', 'rule');
      this.modules.set(`${file}\n${text}`, { text, writtenIn: file, place });
    }
    if (!Object.hasOwn(this.given, text)) {
      const module = registries.moduleOf(text);
      if (module === undefined) refuse(this.whyUnknown(text));
      return module;
    }
    const module = this.given[text];
    const wrong = shapeProblems(module);
    const taken = Object.hasOwn(EXTENSIONS, text) && module !== EXTENSIONS[text];
    if (taken) refuse(`${text} is the name of another policy already: give it another name`);
    for (const problem of wrong) refuse(`${text} is no policy: ${problem}`);
    return wrong.length > 0 || taken ? undefined : (module as PolicyModule);
  }

  private whyUnknown(text: string): string {
    if (isModuleName(text)) return `${text} is not loaded: ${HOW}`;
    if (registries.isProxyPolicy(text))
      return `${text} is the proxy's own: write lb_policy: ${text}, and its settings in a message of the proxy`;
    const known = [...Object.keys(EXTENSIONS), ...Object.keys(this.given)];
    const close = nearest(text.toUpperCase(), known);
    const hint = close === undefined ? '' : `. Did you mean ${close}?`;
    return `${text} is no policy: there are ${known.join(', ')}, and files of modules${hint}`;
  }

  /** @param steps from the walk's place to the settings. */
  private settingsOf(
    module: PolicyModule | undefined,
    entry: MapEntry | undefined,
    name: SourceNode,
    walk: Walk,
    ...steps: readonly string[]
  ): Struct {
    if (module === undefined) return {};
    const at = [...walk.path, ...steps];
    const given = entry?.value;
    if (given !== undefined && !isMap(given))
      walk.report('error', 'policy-module', `settings of ${module.name} are a map`, given, at);
    return settingsBy(module.settings ?? {}, isMap(given) ? given : undefined, module.name, name, at, walk).settings;
  }

  private subsetting(entry: MapEntry, isTable: boolean, walk: Walk): ClientSubsetConfig | undefined {
    const at = [...walk.path, entry.key];
    const { value } = entry;
    if (!isMap(value)) {
      walk.report('error', 'policy-module', 'subsetting is a map of method and size', value, at);
      return undefined;
    }
    const { settings, isSound } = settingsBy(SUBSETTING, value, 'subsetting', keySpan(entry), at, walk);
    if (!isSound) return undefined;
    const method = settings['method'] === 'aperture' ? 'aperture' : 'deterministic';
    if (isTable && method === 'aperture') {
      const text = 'an aperture has hosts in part, and a table has them whole: write method: deterministic';
      walk.report('error', 'policy-settings', text, keySpan(entry), at);
    }
    return { method, size: Number(settings['size']) };
  }

  private slowStart(
    entry: MapEntry | undefined,
    isTable: boolean,
    walk: Walk,
  ): ReturnType<typeof readSlowStart> | undefined {
    if (entry === undefined) return undefined;
    if (!isTable) return walk.part(entry.key, readSlowStart, entry.value);
    const text = 'slow_start_config has no effect: a table knows no slow start';
    walk.report('warning', 'no-effect', text, keySpan(entry), [...walk.path, entry.key]);
    return undefined;
  }

  private refuseStrangers(node: MapNode | undefined, known: readonly string[], walk: Walk): void {
    for (const entry of node?.entries ?? []) {
      const { key } = entry;
      const text = `${key} is not a field here: there are ${known.join(', ')}`;
      if (!known.includes(snake(key))) walk.report('error', 'unknown-field', text, keySpan(entry), [...walk.path, key]);
    }
  }
}

function settingsBy(
  schema: SettingsSchema,
  node: MapNode | undefined,
  owner: string,
  around: Parameters<typeof readSettings>[3],
  at: Path,
  walk: Walk,
): { readonly settings: Struct; readonly isSound: boolean } {
  const { settings, problems } = readSettings(schema, node, owner, around);
  for (const { at: span, setting, message: text } of problems)
    walk.report('error', 'policy-settings', text, span, setting === undefined ? at : [...at, setting]);
  return { settings, isSound: problems.length === 0 };
}

/** The `value` of a `google.protobuf.Struct` or a `TypedStruct`, or the map itself. */
function structOf(node: SourceNode | undefined): MapNode | undefined {
  if (!isMap(node)) return undefined;
  const value = valueAt(node, 'value');
  return /(?:\.Struct|TypedStruct)$/.test(textOf(valueAt(node, '@type')) ?? '') && isMap(value) ? value : node;
}
