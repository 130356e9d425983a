import { expect, test } from 'vitest';
import { Bootstrap } from '../../src/config/bootstrap.js';
import { ScenarioFile } from '../../src/scenario/scenario.js';
import { messagesBelow } from '../support/messages.js';

/** The reader would notice a wrong name only in a file that has the message. */
const named = [...messagesBelow([ScenarioFile, Bootstrap]).values()]
  .map(({ name, shape, oneOfs, rules }) => {
    const fields = [...oneOfs.flatMap((group) => group.fields), ...rules.flatMap((rule) => rule.reads)];
    return { name, fields, unknown: fields.filter((field) => !Object.hasOwn(shape, field)) };
  })
  .filter(({ fields }) => fields.length > 0);

test('groups and rules of every message are about fields that it has', () => {
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ unknown }) => unknown.length > 0)).toEqual([]);
});
