import { described } from '../../core/printable.js';
import type { SettingSchema } from '../../policy/foreign/policy-module.js';
import { MEMBERS } from './generated/members.js';

const MODULE = /\.[cm]?js$/;

export const isModuleName = (text: string): boolean => MODULE.test(text);

/** The problems of a policy module, member by member; empty: it is valid. */

type Kind = 'list' | 'table';

const { flags: FLAGS, setting: SETTING } = MEMBERS;
const OPTIONAL: Readonly<Record<Kind, readonly string[]>> = { list: MEMBERS.optional, table: [] };

/** @param value the module's default export. */
export function shapeProblems(value: unknown): readonly string[] {
  if (value === undefined) return ['it has no default export: write export default { name, kind, … }'];
  if (typeof value !== 'object' || value === null)
    return [`its default export is ${described(value)}, and has to be an object with name, kind, choose …`];
  const members = value as Readonly<Record<string, unknown>>;
  const { name, kind } = members;
  const problems: string[] = [];
  if (typeof name !== 'string' || !/^[\w.+-]+$/.test(name))
    problems.push(`name is ${described(name)}: it has to be a word such as 'MY_POLICY', as reports write it`);
  if (kind !== 'list' && kind !== 'table') {
    problems.push(
      `kind is ${described(kind)}: it has to be 'list', which picks from hosts, or 'table', which looks a hash up`,
    );
    return problems;
  }
  for (const [member, what] of Object.entries(MEMBERS.functions[kind]))
    if (typeof members[member] !== 'function') problems.push(`${member} is ${described(members[member])}: ${what}`);
  for (const member of OPTIONAL[kind]) {
    const found = members[member];
    if (found !== undefined && typeof found !== 'function')
      problems.push(`${member} is ${described(found)}, no function`);
  }
  if (kind === 'list' && (members['probes'] === undefined) !== (members['probed'] === undefined))
    problems.push('probes and probed go together: one names the hosts to ask, the other hears what they answer');
  for (const flag of FLAGS) {
    const found = members[flag];
    if (found !== undefined && typeof found !== 'boolean')
      problems.push(`${flag} is ${described(found)}: true or false`);
  }
  problems.push(...strangers(members, kind), ...settingsProblems(members['settings']), ...statProblems(members, kind));
  return problems;
}

/** A member that is never called is a silent mistake, so it is reported. */
function strangers(members: Readonly<Record<string, unknown>>, kind: Kind): string[] {
  const known = [
    'name',
    'kind',
    'source',
    'settings',
    ...FLAGS,
    ...Object.keys(MEMBERS.functions[kind]),
    ...OPTIONAL[kind],
    ...(kind === 'list' ? ['statistics'] : []),
  ];
  return Object.keys(members)
    .filter((member) => !known.includes(member) && !member.startsWith('_'))
    .map((member) => {
      const isOfLists = OPTIONAL.list.includes(member) || member === 'statistics';
      return isOfLists
        ? `${member} belongs to policies of kind 'list': a table keeps nothing from one request to the next`
        : `${member} is no member of a policy of kind '${kind}', and would never be called; there are ${known.join(', ')}`;
    });
}

function settingsProblems(settings: unknown): string[] {
  if (settings === undefined) return [];
  if (typeof settings !== 'object' || settings === null)
    return [`settings is ${described(settings)}, no object of settings`];
  return Object.entries(settings).flatMap(([name, schema]: [string, unknown]) => {
    const at = `settings.${name}`;
    if (!/^[a-z][a-z0-9_]*$/.test(name)) return [`${at}: settings are named in lower case, as half_life`];
    if (typeof schema !== 'object' || schema === null)
      return [`${at} is ${described(schema)}, and has to be { type, … }`];
    const { type, default: byDefault } = schema as SettingSchema;
    if (!SETTING.types.includes(type)) return [`${at}.type is ${described(type)}: ${SETTING.types.join(', ')}`];
    const stranger = Object.keys(schema).find((key) => !SETTING.keys.some((one) => one === key));
    if (stranger !== undefined) return [`${at}.${stranger} means nothing: there are ${SETTING.keys.join(', ')}`];
    const wanted = type === 'boolean' || type === 'string' ? type : 'number';
    if (byDefault !== undefined && typeof byDefault !== wanted) {
      return [
        `${at}.default is ${described(byDefault)}, and has to be a ${wanted}${type === 'duration' ? ' of µs' : ''}`,
      ];
    }
    return [];
  });
}

function statProblems({ statistics }: Readonly<Record<string, unknown>>, kind: Kind): string[] {
  if (kind === 'table' || statistics === undefined) return [];
  if (!Array.isArray(statistics)) return [`statistics is ${described(statistics)}, and has to be a list of names`];
  return statistics.flatMap((name: unknown) =>
    typeof name === 'string' && /^[a-z][a-z0-9_]*$/.test(name)
      ? []
      : [`statistics has ${described(name)}: names are in lower case, as fast_picks`],
  );
}
