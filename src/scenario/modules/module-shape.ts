import { fill } from '../../core/fill.js';
import { described, printable } from '../../core/printable.js';
import type { SettingSchema } from '../../policy/foreign/policy-module.js';
import { MEMBERS } from './generated/members.js';

export const isModuleName = (text: string): boolean => /\.[cm]?js$/.test(text);

export function whyNotLoaded(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return `it cannot be loaded: ${printable(text.split('\n')[0] ?? '')}`;
}

/** The problems of a policy module, member by member; empty: it is valid. */

type Kind = 'list' | 'table';

const { flags: FLAGS, setting: SETTING, says: SAYS } = MEMBERS;
const OPTIONAL: Readonly<Record<Kind, readonly string[]>> = MEMBERS.optional;

/** @param value the module's default export. */
export function shapeProblems(value: unknown): readonly string[] {
  if (value === undefined) return [SAYS.no_export];
  if (typeof value !== 'object' || value === null) return [fill(SAYS.no_object, { found: described(value) })];
  const members = value as Readonly<Record<string, unknown>>;
  const { name, kind } = members;
  const isNamed = typeof name === 'string' && /^[\w.+-]+$/.test(name);
  const problems = isNamed ? [] : [fill(SAYS.name, { found: described(name) })];
  if (kind !== 'list' && kind !== 'table') return [...problems, fill(SAYS.kind, { found: described(kind) })];
  const wrong = (member: string, sentence: string, what = ''): string =>
    fill(sentence, { member, found: described(members[member]), what });
  const others = (names: readonly string[], type: 'function' | 'boolean', sentence: string): readonly string[] =>
    names
      .filter((member) => members[member] !== undefined && typeof members[member] !== type)
      .map((member) => wrong(member, sentence));
  const isAlone = kind === 'list' && (members['probes'] === undefined) !== (members['probed'] === undefined);
  return [
    ...problems,
    ...Object.entries<string>(MEMBERS.functions[kind]).flatMap(([member, what]) =>
      typeof members[member] === 'function' ? [] : [wrong(member, SAYS.function, what)],
    ),
    ...others(OPTIONAL[kind], 'function', SAYS.no_function),
    ...(isAlone ? [SAYS.probes] : []),
    ...others(FLAGS, 'boolean', SAYS.no_flag),
    ...strangers(members, kind),
    ...settingsProblems(members['settings']),
    ...statProblems(members, kind),
  ];
}

/** A member that is never called is a silent mistake, so it is reported. */
function strangers(members: Readonly<Record<string, unknown>>, kind: Kind): readonly string[] {
  const known = [
    ...['name', 'kind', 'source', 'settings', ...FLAGS, ...Object.keys(MEMBERS.functions[kind]), ...OPTIONAL[kind]],
    ...(kind === 'list' ? ['statistics'] : []),
  ];
  return Object.keys(members)
    .filter((member) => !known.includes(member) && !member.startsWith('_'))
    .map((member) => {
      const isOfLists = OPTIONAL.list.includes(member) || member === 'statistics';
      return fill(isOfLists ? SAYS.of_lists : SAYS.stranger, { member, kind, known });
    });
}

function settingsProblems(settings: unknown): readonly string[] {
  if (settings === undefined) return [];
  if (typeof settings !== 'object' || settings === null) return [fill(SAYS.settings, { found: described(settings) })];
  return Object.entries(settings).flatMap(([name, schema]: [string, unknown]) => settingProblem(name, schema) ?? []);
}

function settingProblem(name: string, schema: unknown): string | undefined {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) return fill(SAYS.setting, { name });
  if (typeof schema !== 'object' || schema === null) return fill(SAYS.schema, { name, found: described(schema) });
  const { type, default: byDefault } = schema as SettingSchema;
  const { types, keys } = SETTING;
  if (!types.includes(type)) return fill(SAYS.type, { name, found: described(type), types });
  const key = Object.keys(schema).find((one) => !keys.some((known) => known === one));
  if (key !== undefined) return fill(SAYS.key, { name, key, keys });
  const wanted = type === 'boolean' || type === 'string' ? type : 'number';
  if (byDefault === undefined || typeof byDefault === wanted) return undefined;
  const what = `${wanted}${type === 'duration' ? ' of µs' : ''}`;
  return fill(SAYS.default, { name, found: described(byDefault), wanted: what });
}

function statProblems({ statistics }: Readonly<Record<string, unknown>>, kind: Kind): readonly string[] {
  if (kind === 'table' || statistics === undefined) return [];
  if (!Array.isArray(statistics)) return [fill(SAYS.statistics, { found: described(statistics) })];
  return statistics
    .filter((name: unknown) => typeof name !== 'string' || !/^[a-z][a-z0-9_]*$/.test(name))
    .map((name: unknown) => fill(SAYS.statistic, { found: described(name) }));
}
