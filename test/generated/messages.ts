import { Bootstrap } from '../../src/config/bootstrap.js';
import { standalone } from '../../src/config/messages.js';
import type { FieldMarks, MessageInfo, Rule, Schema } from '../../src/config/reader/schema.js';
import { fieldsOf } from '../../src/config/json-schema.js';
import { PROBLEMS } from '../../src/core/generated/problems.js';
import { ScenarioFile } from '../../src/scenario/scenario.js';
import { messagesIn } from '../support/messages.js';

const UNHELD = 'no field of a cluster, its hosts, a node or a sink holds it';

/** Why a field that is known by name and type alone means nothing. */
function unread({ idle }: FieldMarks): string | undefined {
  return idle === true ? 'nothing of it balances' : undefined;
}

/** Between reasons. */
const REASONS = '; ';

export interface Entry {
  readonly info: MessageInfo;
  readonly users: Map<string, MessageInfo>;
  /** Why nothing of it is acted upon: every field that holds it says so. undefined: some field acts on it. */
  idle: string | undefined;
}

/** What a rule asks for, in a sentence. */
export function docOf({ name, doc }: Pick<Rule<unknown>, 'name' | 'doc'>): string | undefined {
  const texts: Readonly<Record<string, { readonly fix: string; readonly rule?: string }>> = PROBLEMS;
  return doc ?? texts[name]?.rule;
}

/** All messages that a file may have, and who uses them. */
export class Messages {
  private readonly entries = new Map<MessageInfo, Entry>();

  constructor() {
    this.visit(ScenarioFile, undefined);
    this.visit(Bootstrap, undefined);
    for (const schema of standalone()) this.visit(schema, UNHELD);
  }

  /** What the messages' own rules say must hold, by the name of the rule. */
  ruleSentences(): ReadonlyMap<string, ReadonlySet<string>> {
    const sentences = new Map<string, Set<string>>();
    for (const rule of [...this.entries.keys()].flatMap(({ rules }) => rules)) {
      const { name } = rule;
      const doc = docOf(rule);
      if (doc !== undefined) sentences.set(name, (sentences.get(name) ?? new Set()).add(doc));
    }
    return sentences;
  }

  /** Those of the proxy's own configuration, by name. */
  ofTheProxy(): readonly Entry[] {
    const entries = [...this.entries.values()].filter(({ info }) => info.vocabulary === 'proxy' && info.doc !== '');
    return entries.sort((a, b) => (a.info.name < b.info.name ? -1 : 1));
  }

  /** The fields that are not `checked only`: `Cluster.lb_policy`. */
  actedOn(): readonly string[] {
    return this.ofTheProxy().flatMap(({ info, idle }) =>
      idle !== undefined
        ? []
        : fieldsOf(info).flatMap(({ name, marks }) =>
            marks.noEffect === undefined && marks.lacking === undefined && marks.idle !== true
              ? [`${info.name}.${name}`]
              : [],
          ),
    );
  }

  /** The fields of the scenario's own blocks: `workload.arrivals`. */
  words(): readonly string[] {
    const blocks = [...this.entries.values()].filter(({ info }) => info.vocabulary === 'scenario');
    return blocks.flatMap(({ info }) => fieldsOf(info).map(({ name }) => `${info.name}.${name}`));
  }

  private visit(schema: Schema<unknown>, idle: string | undefined, user?: MessageInfo): void {
    for (const info of messagesIn(schema)) {
      let entry = this.entries.get(info);
      const known = entry !== undefined;
      if (entry === undefined) {
        entry = { info, users: new Map(), idle };
        this.entries.set(info, entry);
      }
      if (user?.vocabulary === 'proxy') entry.users.set(user.name, user);
      // A message that is acted upon anywhere is visited once more, so that what it holds is, too.
      // One that is not is visited for each reason: what holds it differs.
      const said = entry.idle?.split(REASONS) ?? [];
      // Held elsewhere: that is reason enough.
      if (known && idle === UNHELD) continue;
      if (known && (entry.idle === undefined || (idle !== undefined && said.includes(idle)))) continue;
      entry.idle = idle === undefined ? undefined : known ? [...said, idle].sort().join(REASONS) : idle;
      for (const field of fieldsOf(info))
        this.visit(field.schema, idle ?? field.marks.noEffect ?? unread(field.marks), info);
    }
  }
}
