import { expect, it } from 'vitest';
import { fieldsOf } from '../../src/config/json-schema.js';
import type { Schema } from '../../src/config/reader.js';
import { VOCABULARY } from '../../src/scenario/fields/generated/vocabulary.js';
import { ScenarioFile } from '../../src/scenario/scenario.js';

interface Named {
  readonly name: string;
  readonly doc: string;
  /** With what is said of each. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Every block of a scenario, each once. */
function blocksIn(root: Schema<unknown>): readonly Named[] {
  const found = new Map<object, Named>();
  const search = ({ form, marks }: Schema<unknown>): void => {
    const { message } = marks;
    if (message?.vocabulary === 'scenario' && !found.has(message)) {
      const fields = fieldsOf(message).map(({ name, doc: words }) => [name, words]);
      found.set(message, {
        name: message.name,
        doc: message.doc,
        fields: Object.fromEntries(fields) as Named['fields'],
      });
      for (const field of Object.values(message.shape)) search(field);
    }
    if ('inner' in form) search(form.inner);
    else if (form.kind === 'list') search(form.item);
    else if (form.kind === 'tuple') form.items.forEach(search);
    else if (form.kind === 'map') search(form.value);
    else if (form.kind === 'union') form.options.forEach(search);
  };
  search(root);
  return [...found.values()];
}

const blocks = blocksIn(ScenarioFile);

it('each block of a scenario and each of its fields is described', () => {
  expect(blocks.length).toBeGreaterThan(40);
  for (const { name, doc, fields } of blocks) {
    expect(doc, name).toMatch(/^\S.*\.$/);
    for (const [field, words] of Object.entries(fields)) expect(words, `${name}.${field}`).not.toBe('');
  }
});

it.each(Object.entries(VOCABULARY))('%s is a block that has the fields which are told of', (key, words) => {
  const { name = key, fields = {} }: { readonly doc: string; readonly name?: string; readonly fields?: object } = words;
  const own = blocks.filter((one) => one.name === name && one.doc === words.doc);
  // Options of extensions stand in messages that are read by hand.
  if (own.length === 0) expect(['no options', 'previous_priorities']).toContain(name);
  for (const one of own) expect(Object.keys(one.fields)).toEqual(expect.arrayContaining(Object.keys(fields)));
});
