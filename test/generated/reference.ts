import { readFileSync } from 'node:fs';
import { displayName, formerMessage, formerName, tableName } from '../../src/config/api/message-names.js';
import { apiSchema } from '../../src/config/reader/api-schema.js';
import type { FieldMarks, MessageInfo, Schema } from '../../src/config/reader/schema.js';

import { type FieldFacts, fieldsOf } from '../../src/config/json-schema.js';
import { messagesIn } from '../support/messages.js';
import type { Entry } from './messages.js';
import { docOf, Messages } from './messages.js';

/**
 * The pages of docs/reference: one for each message of the proxy's configuration, written from the schemas that read
 * and check it.
 */
export function referencePages(): ReadonlyMap<string, string> {
  const pages = new Messages().ofTheProxy();
  return new Map([
    ['README.md', indexPage(pages)],
    ...pages.map((page) => [fileOf(page.info), messagePage(page)] as const),
  ]);
}

// --- pages ---------------------------------------------------------------------------------------------------------

const fileOf = ({ name }: MessageInfo): string => `${name}.md`;
/** Messages of v3 are told of on the pages of those that they continue; not every message has one. */
function link({ name }: MessageInfo): string {
  const page = displayName(formerMessage(name, 'v3') ?? name);
  return PAGES.has(page) ? `[${name}](${page}.md)` : name;
}

const PAGES: ReadonlySet<string> = new Set(new Messages().ofTheProxy().map(({ info }) => info.name));
const GENERATED = '<!-- Written from the schemas by `npm run docs`; a test holds it current. -->';

function indexPage(pages: readonly Entry[]): string {
  const rows = pages.map(
    ({ info, idle }) => `| ${link(info)} | ${info.doc} | ${idle === undefined ? 'acted on' : 'checked only'} |`,
  );
  return `${GENERATED}

# Configuration reference

For those who write a proxy's configuration: each message that lbsim reads, field by field, with type, default, what is checked and what a simulation makes of it; what is otherwise in v3 follows below.

* **acted on**: it decides what happens in a run. A scenario that asks for something this version cannot run is refused
  by name; nothing is left out in silence.
* **checked only**: it is read and checked by the proxy's rules and changes nothing in a run; the page says why, and so
  does \`lbsim validate\`, as a note.
* **not simulated**: a proxy acts on it, and a run does not; the page says what is missing, and so do \`lbsim run\` and
  \`lbsim validate\`, as a warning.

Names are written in snake_case or lowerCamelCase. In JSON, 64-bit integers may be text, durations are text in seconds
(\`"0.25s"\`), enumerations go by name or by number, wrappers (UInt32Value …) by their bare value. Names that begin with
\`envoy.\` are the same as those that begin with \`proxy.\`.

\`lbsim validate --as core.HealthCheck FILE\` checks one message of any page by itself, and \`--as config.core.v3.HealthCheck\`
one of v3. Two things of the schema have no page. The header \`x-proxy-upstream-canary\`, which tells hosts and clients of a canary host, is not
simulated, since answers carry no such headers; what marks a canary is ([core.Metadata](core.Metadata.md)). The proxy’s options
\`--service-node\`, \`--service-cluster\` and \`--service-zone\` are none of lbsim’s: write \`node\` ([core.Node](core.Node.md)) instead.

The words of scenarios (workloads, timeline, behaviour) are in [the scenario format](../scenario-format.md); settings that
are legal and do not do what they seem to are in [lint](../lint.md).

| message | what it is | in the simulation |
|---|---|---|
${rows.join('\n')}
`;
}

/** More about the behaviour of single fields, by version. */
const BEHAVIOURS: Readonly<Partial<Record<string, string>>> = {
  'Cluster.CommonLbConfig.update_merge_window': readFileSync(
    new URL('update_merge_window.md', import.meta.url),
    'utf8',
  ).trimEnd(),
};

function messagePage({ info, users, idle }: Entry): string {
  const fields = fieldsOf(info);
  const parts = [GENERATED, `# ${info.name}`, info.doc, `To check one: \`lbsim validate --as ${info.name} FILE\`.`];
  if (idle !== undefined) parts.push(`Checked only: ${idle}.`);
  if (users.size > 0) {
    const names = [...users.values()].sort((a, b) => (a.name < b.name ? -1 : 1)).map(link);
    parts.push(`Part of ${names.join(', ')}.`);
  }
  if (fields.length === 0) parts.push('It has no fields: that it is there is all it says.');
  else {
    const rows = fields.map((field) => fieldRow(field, idle));
    parts.push(['| field | type | default | rule | in the simulation |', '|---|---|---|---|---|', ...rows].join('\n'));
  }
  const behaviours = fields.flatMap(({ name }) => {
    const text = BEHAVIOURS[`${info.name}.${name}`];
    return text === undefined ? [] : [`### ${name}`, text];
  });
  if (behaviours.length > 0) parts.push('## What the proxy does, and the simulation', ...behaviours);
  const rules = [
    ...info.oneOfs.map(
      ({ fields: names, required }) =>
        `* ${required === true ? 'Exactly' : 'At most'} one of ${names.map(code).join(', ')} is set.`,
    ),
    ...info.rules.map((rule) => `* ${docOf(rule) ?? ''} (${code(rule.name)})`),
  ];
  if (rules.length > 0) parts.push('## Rules across fields', rules.join('\n'));
  const enums = fields.flatMap(({ name, schema }) => {
    const { values } = elementOf(schema).marks;
    return values === undefined ? [] : [`* ${code(name)}: ${values.map(code).join(', ')}`];
  });
  if (enums.length > 0) parts.push('## Values', enums.join('\n'));
  parts.push(...inV3(info, idle));
  return `${parts.join('\n\n')}\n`;
}

/** What is otherwise in v3, whose messages continue those of v2. */
function inV3(info: MessageInfo, idle: string | undefined): readonly string[] {
  const name = tableName(info.name, 'v3');
  const later = name === undefined ? undefined : apiSchema(name, 'v3')?.marks.message?.as('v3');
  if (name === undefined || later === undefined) return [];
  const fields = fieldsOf(later);
  const names = new Set(fields.map((field) => formerName(field.name)));
  const gone = Object.keys(info.shape).filter((field) => !names.has(field));
  const renamed = fields.filter((field) => formerName(field.name) !== field.name);
  const added = fields.filter((field) => !Object.hasOwn(info.shape, formerName(field.name)));
  const lines = [
    `It is \`${name}\` there.`,
    ...(gone.length === 0 ? [] : [`Without ${gone.map(code).join(', ')}.`]),
    ...renamed.map((field) => `\`${formerName(field.name)}\` is called \`${field.name}\`.`),
    ...(added.length === 0 ? [] : [added.some(({ marks }) => isTold(marks)) ? 'Beyond v2:' : 'Checked only:']),
  ];
  const rows = added.map((field) => {
    const { marks, name: own, schema } = field;
    const said = isTold(marks) ? [marks.doc ?? '', sentence(effect(marks, idle))] : [];
    const words = said.filter((text) => text !== '').map((text) => ` ${text}`);
    return `* ${code(own)}: ${typeOf(schema)}${limitsOf(field)}${words.length === 0 ? '' : `.${words.join('')}`}`;
  });
  return ['## In v3', lines.join(' '), ...(rows.length === 0 ? [] : [rows.join('\n')])];
}

/** It is not only checked without a word. */
function isTold({ doc, noEffect, lacking, unread }: FieldMarks): boolean {
  return unread !== true || [doc, noEffect, lacking].some((text) => text !== undefined);
}

function limitsOf({ schema, required }: FieldFacts): string {
  const { limits = '' } = elementOf(schema).marks;
  const said = [required ? 'required' : '', limits].filter((text) => text !== '');
  return said.length === 0 ? '' : `; ${said.join('; ')}`;
}

const code = (text: string): string => `\`${text}\``;

function fieldRow(field: FieldFacts, idle: string | undefined): string {
  const { name, marks, schema, required, jsonDefault } = field;
  const { limits = '' } = elementOf(schema).marks;
  const { doc = limits === '' || marks.idle === true ? 'As the API has it' : '' } = marks;
  const rule = [limits, doc].filter((text) => text !== '');
  const cells = [
    code(name),
    typeOf(schema),
    required ? '**required**' : defaultText(schema, jsonDefault, marks.byDefault),
    rule.map(sentence).join(' '),
    effect(marks, idle),
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function sentence(text: string): string {
  const upper = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(upper) ? upper : `${upper}.`;
}

function defaultText(schema: Schema<unknown>, value: FieldFacts['jsonDefault'], told: string | undefined): string {
  if (value !== undefined) return code(String(value));
  if (told !== undefined) return told;
  const { zero, values } = schema.marks;
  if (values !== undefined && typeof zero === 'string') return code(zero);
  if (typeof zero === 'boolean') return 'false';
  return typeof zero === 'number' || typeof zero === 'bigint' ? String(zero) : '';
}

function effect(marks: FieldMarks, idle: string | undefined): string {
  const { noEffect, lacking, deprecated, extension } = marks;
  const parts = [
    noEffect !== undefined
      ? `checked only: ${noEffect}`
      : lacking !== undefined
        ? `not simulated: ${lacking}`
        : idle === undefined && !marks.idle
          ? 'acted on'
          : 'checked only',
    deprecated === undefined ? '' : `deprecated${deprecated === '' ? '' : `: ${deprecated}`}`,
    extension === undefined ? '' : `newer than v2: ${extension}`,
  ];
  return parts.filter((part) => part !== '').join('; ');
}

function elementOf(schema: Schema<unknown>): Schema<unknown> {
  if (schema.marks.typeName !== undefined || schema.marks.message !== undefined) return schema;
  const form = schema.form;
  if (form.kind === 'list') return elementOf(form.item);
  return 'inner' in form ? elementOf(form.inner) : schema;
}

function typeOf(schema: Schema<unknown>): string {
  const { message, typeName, values } = schema.marks;
  if (message !== undefined) return link(message);
  if (typeName === 'repeated Cluster') return `repeated ${messagesIn(schema).map(link).join(', ')}`;
  if (typeName !== undefined) return values === undefined ? typeName : `enum ${typeName}`;
  const form = schema.form;
  if (form.kind === 'list') return `repeated ${typeOf(form.item)}`;
  if (form.kind === 'map') return `map of string to ${typeOf(form.value)}`;
  if (form.kind === 'union') return form.options.map(typeOf).join(' or ');
  if ('inner' in form) return typeOf(form.inner);
  return form.kind === 'any' ? 'any message' : form.kind;
}
