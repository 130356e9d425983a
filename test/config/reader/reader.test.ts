import type { Schema } from '../../../src/config/reader/schema.js';
import { describe, expect, test } from 'vitest';
import {
  anything,
  block,
  check,
  defaulted,
  describeNode,
  either,
  list,
  mapping,
  mark,
  optional,
  pair,
  parseDocument,
  problemAt,
  reading,
  repeated,
  required,
} from '../../../src/config/reader.js';
import { words, yesNo } from '../../../src/config/reader/combinators.js';
import { FILLED, limited } from '../../../src/config/reader/limits.js';
import { string } from '../../../src/config/reader/proto/strings.js';
import { uint32 } from '../../../src/config/reader/proto/numbers.js';
import { brief, madeUp, read } from './support.js';

/** The source text of any plain value. */
const text = () =>
  reading('text', (node, walk) =>
    node.kind === 'scalar'
      ? node.text
      : walk.error('type', `expected a plain value, found ${describeNode(node)}`, node),
  );

const Host = madeUp(
  'Host',
  () => ({
    host_name: required(limited(string(), [FILLED]), 'The name.'),
    weight: optional(uint32({ min: 1 }), 'The weight.'),
    consecutive_5xx: defaulted(uint32(), 0, 'Digits in a name.'),
    old: mark(defaulted(string(), '', 'Old.'), { deprecated: 'use host_name' }),
    later: mark(defaulted(string(), '', 'New.'), { extension: 'since 1.17' }),
    tls: mark(defaulted(string(), '', 'TLS.'), { noEffect: 'TLS is not simulated' }),
  }),
  { doc: 'A host.', hints: { address: 'it is host_name here' } },
);

const Group = madeUp(
  'Group',
  () => ({
    hosts: repeated(Host, 'Hosts.'),
    by_name: defaulted(mapping(Host), {}, 'Hosts by name.'),
    minimum: optional(uint32(), 'Least.'),
    maximum: optional(uint32(), 'Most.'),
    left: optional(string(), 'One side.'),
    right: optional(string(), 'The other.'),
  }),
  {
    doc: 'Hosts.',
    oneOfs: [{ name: 'side', fields: ['left', 'right'] }],
    rules: [
      {
        name: 'backoff-order',
        reads: ['minimum', 'maximum'],
        check: ({ minimum = 0, maximum = Infinity }, report) => {
          if (minimum > maximum) report(`minimum (${minimum}) > maximum (${maximum})`, ['maximum']);
        },
      },
    ],
  },
);

describe('names of fields in proxy configuration', () => {
  test('are taken in both cases and come out in camelCase', () => {
    const snake = read(Group, 'by_name: {a: {host_name: x, consecutive_5xx: 3}}');
    const camel = read(Group, 'byName: {a: {hostName: x, consecutive5xx: 3}}');
    expect(snake.problems).toEqual([]);
    expect(snake.value?.byName).toEqual({ a: { hostName: 'x', consecutive5xx: 3, old: '', later: '', tls: '' } });
    expect(camel).toEqual(snake);
  });

  test('that are unknown are reported with the nearest known one, whatever their case', () => {
    const { value, problems } = read(Group, 'hosts:\n  - {hostNme: x}\nmaximun: 3\nbogus: 1\n');
    expect(value).toBeUndefined();
    expect(brief(problems)).toEqual([
      '2:6 unknown-field hosts[0].hostNme',
      '3:1 unknown-field maximun',
      '4:1 unknown-field bogus',
    ]);
    expect(problems[0]?.message).toBe('hostNme is not a field of Host (did you mean host_name?)');
    expect(problems[0]?.length).toBe(7);
    expect(problems[2]?.message).toBe('bogus is not a field of Group');
  });

  test('UpperCamel is unknown', () => {
    expect(brief(read(Group, 'Minimum: 3').problems)).toEqual(['1:1 unknown-field Minimum']);
  });

  test('have hints where people are known to write something else', () => {
    const { problems } = read(Host, 'address: x');
    expect(problems[0]?.message).toBe('address is not a field of Host: it is host_name here');
  });

  test('<< is no merge', () => {
    const { problems } = read(Group, 'a: &a {minimum: 1}\n<<: *a');
    expect(problems[1]?.message).toContain('merge keys are not supported');
  });
});

describe('a field set twice', () => {
  test('in proxy configuration: the last wins, in either case, with a warning', () => {
    const { value, problems } = read(Group, 'minimum: 1\nby_name: {}\nminimum: 2\nbyName: {a: {host_name: x}}\n');
    expect(value).toMatchObject({ minimum: 2, byName: { a: { hostName: 'x' } } });
    expect(problems.map(({ severity }) => severity)).toEqual(['warning', 'warning']);
    expect(brief(problems)).toEqual(['3:1 duplicate-key minimum', '4:1 duplicate-key by_name']);
  });

  test('in the scenario’s own words: an error', () => {
    const Own = block('own', () => ({ a: optional(whole, 'A.') }), { doc: 'Own.' });
    const { value, problems } = read(Own, 'a: 1\na: 2\n', 'scenario');
    expect(value).toBeUndefined();
    expect(problems).toMatchObject([{ severity: 'error', rule: 'duplicate-key', line: 2 }]);
  });

  test('of a map: the last wins', () => {
    const { value } = read(Group, 'by_name: {a: {host_name: x}, a: {host_name: z}}');
    expect(value?.byName['a']?.hostName).toBe('z');
  });
});

describe('null', () => {
  test('is unset, in a one-of too', () => {
    const { value, problems } = read(Group, 'left: ~\nright: x\nminimum: null\nhosts:\n');
    expect(problems).toEqual([]);
    expect(value).toEqual({ right: 'x', hosts: [], byName: {} });
  });

  test('does not satisfy what is required', () => {
    expect(brief(read(Host, 'host_name: ~').problems)).toEqual(['1:1 required ']);
  });

  test('in a list is an empty message', () => {
    const { problems } = read(Group, 'hosts: [~]');
    expect(problems[0]?.message).toBe('host_name is required in Host');
  });
});

describe('one-of groups', () => {
  const Exactly = madeUp('Exactly', () => ({ a: optional(string(), 'A.'), b_c: optional(string(), 'B.') }), {
    doc: 'X.',
    oneOfs: [{ name: 'kind', fields: ['a', 'b_c'], required: true }],
  });

  test('take at most one, and name the second in the file', () => {
    const { problems } = read(Exactly, 'bC: x\na: z\n');
    expect(problems).toMatchObject([{ rule: 'one-of', line: 2, column: 1, path: 'a' }]);
    expect(problems[0]?.message).toBe('a cannot stand beside bC: at most one of a, b_c may be set');
  });

  test('that are required take exactly one', () => {
    expect(read(Exactly, '{}').problems[0]?.message).toBe('kind: exactly one of a, b_c must be set, found none');
    expect(read(Exactly, 'a: ""').problems).toEqual([]);
  });
});

describe('rules', () => {
  test('report at a field, under their name', () => {
    const { problems } = read(Group, 'minimum: 3\nmaximum: 2\n');
    expect(problems).toMatchObject([{ rule: 'backoff-order', line: 2, column: 10, path: 'maximum', length: 1 }]);
  });

  test('run beside errors of other fields, and not where a field they read is wrong', () => {
    const { problems } = read(Group, 'minimum: 3\nmaximum: 2\nhosts: [{}]\nleft: 5\n');
    expect(brief(problems)).toEqual(['2:10 backoff-order maximum', '3:9 required hosts[0]', '4:7 type left']);
    expect(brief(read(Group, 'minimum: 3\nmaximum: x\n').problems)).toEqual(['2:10 type maximum']);
  });
});

describe('remarks', () => {
  test('are made once for a field, however often it is set', () => {
    const { value, problems } = read(
      Group,
      'hosts:\n  - {host_name: a, old: x, later: x, tls: x}\n  - {host_name: b, old: z}\n',
    );
    expect(value?.hosts).toHaveLength(2);
    expect(problems.map(({ severity, rule, path }) => `${severity} ${rule} ${path}`)).toEqual([
      'deprecation deprecated hosts[0].old',
      'note extension hosts[0].later',
      'note no-effect hosts[0].tls',
    ]);
    expect(problems[0]?.message).toBe('old is deprecated: use host_name');
  });
});

describe('shapes', () => {
  test('an object where a list is expected is a list of one; a list for an object is an error', () => {
    expect(read(Group, 'hosts: {host_name: a}').value?.hosts).toHaveLength(1);
    expect(brief(read(Group, 'by_name: []').problems)).toEqual(['1:10 type by_name']);
    expect(read(Host, '[]').problems[0]?.message).toBe('expected a map (Host), found a list');
  });

  test('in proxy configuration a lone value is a list of one too, and a list within a list stands for its items', () => {
    const shape = (): { keys: Schema<readonly string[]> } => ({ keys: repeated(string(), 'Keys.') });
    const Keys = { proxy: madeUp('Keys', shape, { doc: 'K.' }), scenario: block('keys', shape, { doc: 'K.' }) };
    const keys = (text: string, vocabulary: 'proxy' | 'scenario' = 'proxy'): unknown =>
      read(Keys[vocabulary], text, vocabulary).value?.keys ?? 'error';
    expect(keys('keys: a')).toEqual(['a']);
    expect(keys('keys: [[a, [b]], [], c]')).toEqual(['a', 'b', 'c']);
    expect(keys('keys: 5')).toBe('error');
    expect(keys('keys: a', 'scenario')).toBe('error');
    expect(keys('keys: [[a]]', 'scenario')).toBe('error');
    expect(read(Group, 'hosts: [[{host_name: a}], {host_name: b}]').value?.hosts).toHaveLength(2);
  });

  test('every problem is found at once, in the order of the file', () => {
    const { problems } = read(
      Group,
      'hosts:\n  - {weight: 0}\n  - 5\nby_name:\n  a: {host_name: 1, x: 2}\nminimum: []\n',
    );
    expect(brief(problems)).toEqual([
      '2:6 required hosts[0]',
      '2:14 range hosts[0].weight',
      '3:5 type hosts[1]',
      '5:18 type by_name.a.host_name',
      '5:21 unknown-field by_name.a.x',
      '6:10 type minimum',
    ]);
  });
});

/** A whole number. */
const whole = reading<number>('number', (node, walk) => {
  const value = node.kind === 'scalar' ? Number(node.text) : NaN;
  return Number.isInteger(value) ? value : walk.error('type', 'expected a number', node);
});

describe('schemas of the scenario’s own words', () => {
  const Rate = mark(text(), { plain: true }).checked((rate, fail) => {
    if (!/^\d+\/s$/.test(rate)) fail('format', 'a rate looks like 500/s');
  });
  const Closed = block('closed', () => ({ users: required(whole, 'Users.') }), { doc: 'Closed.' });
  const Own = block(
    'own',
    () => ({
      seed: defaulted(text(), '1', 'Seed.'),
      kind: optional(words(['hang', 'refuse']), 'Kind.'),
      count: optional(
        whole.checked((count, fail) => {
          if (count < 1) fail('range', 'too few');
        }),
        'Count.',
      ),
      host: optional(text().orNull(), 'Null is a value here.'),
      arrivals: optional(
        either(
          Rate.transform((rate) => ({ perSecond: Number.parseInt(rate, 10) })),
          either(
            block('arrivals', () => ({ closed: optional(Closed, 'C.') }), { doc: 'A.' }),
            list(pair(whole, whole)),
          ),
        ),
        'Arrivals.',
      ),
      range: optional(
        block('range', () => ({ low: required(whole, 'L.'), high: required(whole, 'H.') }), { doc: 'R.' }).checked(
          ({ low, high }, fail) => {
            if (low > high) fail('ring-size-order', 'low > high', ['low']);
          },
        ),
        'Range.',
      ),
      groups: optional(
        list(Group).checked((groups, fail) => {
          if (groups.length > 1) fail('range', 'takes at most one; found a list');
        }),
        'Proxy vocabulary.',
      ),
      names: optional(
        mapping(whole, (key) => (/^[a-z]+$/.test(key) ? undefined : 'lower case only')),
        'Map.',
      ),
      even: optional(
        reading<number>('number', (node, walk) => {
          const value = node.kind === 'scalar' ? Number(node.text) : NaN;
          return value % 2 === 0 ? value : walk.error('number', 'must be even', node);
        }),
        'By hand.',
      ),
    }),
    { doc: 'Own words.' },
  );

  test('give their own types and transformations', () => {
    const { value, problems } = read(
      Own,
      'seed: 1.40\nkind: hang\ncount: 2\nhost: ~\narrivals: 500/s\nrange: {low: 1, high: 2}\neven: 4\n' +
        'groups: [{byName: {}}]\n',
      'scenario',
    );
    expect(problems).toEqual([]);
    expect(value).toEqual({
      seed: '1.40',
      kind: 'hang',
      count: 2,
      host: null,
      arrivals: { perSecond: 500 },
      range: { low: 1, high: 2 },
      even: 4,
      groups: [{ hosts: [], byName: {} }],
    });
  });

  test('report in our words, with places', () => {
    const { problems } = read(
      Own,
      'seed: []\nkind: hnag\ncount: 0\narrivals: {closd: {users: x}}\nrange: {low: 3, high: 2}\neven: 3\n' +
        'groups: [{}, {}]\nnames: {A: 1}\n',
      'scenario',
    );
    expect(problems.map(({ line, path, message }) => `${line} ${path}: ${message}`)).toEqual([
      '1 seed: expected a plain value, found a list',
      '2 kind: expected one of hang, refuse, found hnag (did you mean hang?)',
      '3 count: too few',
      '4 arrivals.closd: closd is not a field of arrivals (did you mean closed?)',
      '5 range.low: low > high',
      '6 even: must be even',
      '7 groups: takes at most one; found a list',
      '8 names.A: lower case only',
    ]);
  });

  test('of a union are chosen by the shape of the value', () => {
    const messageOf = (yaml: string): string | undefined => read(Own, yaml, 'scenario').problems[0]?.message;
    expect(messageOf('arrivals: {closed: {users: x}}')).toBe('expected a number');
    expect(messageOf('arrivals: 5/m')).toContain('a rate looks like 500/s');
    expect(messageOf('arrivals: [[1, x]]')).toBe('expected a number');
    expect(messageOf('arrivals: [[1]]')).toBe('expected 2 values, found 1');
    const scalarsOnly = either(mark(whole, { plain: true }), yesNo);
    expect(read(scalarsOnly, '[]', 'scenario').problems[0]?.message).toBe('expected a plain value, found a list');
  });

  test('of a scenario take no camelCase, and their messages do', () => {
    const { problems } = read(
      block('b', () => ({ think_time: optional(whole, 'T.') }), { doc: 'B.' }),
      'thinkTime: 1',
      'scenario',
    );
    expect(problems[0]?.message).toBe('thinkTime is not a field of b (did you mean think_time?)');
  });

  test('may contain themselves', () => {
    interface Tree {
      readonly name: string;
      readonly children?: readonly Tree[] | undefined;
    }
    const Tree: Schema<Tree> = block(
      'tree',
      () => ({ name: required(text(), 'N.'), children: optional(list(Tree), 'C.') }),
      {
        doc: 'T.',
      },
    );
    expect(read(Tree, 'name: a\nchildren: [{name: b, children: [{name: c}]}]', 'scenario').value).toEqual({
      name: 'a',
      children: [{ name: 'b', children: [{ name: 'c' }] }],
    });
    expect(brief(read(Tree, 'name: a\nchildren: [{name: b, children: [{}]}]', 'scenario').problems)).toEqual([
      '2:33 required children[0].children[0]',
    ]);
  });

  test('with a refined message still read as messages', () => {
    const Refined = Host.checked(({ hostName }, fail) => {
      if (hostName === 'no') fail('name', 'not that one');
    });
    expect(read(Refined, 'hostName: yes1').problems).toEqual([]);
    expect(read(Refined, 'host_name: "no"').problems[0]?.message).toBe('not that one');
  });
});

test('fields of a message are made once, when a file has the message', () => {
  let made = 0;
  const Rare = block(
    'rare',
    () => {
      made += 1;
      return { a: optional(whole, 'A.') };
    },
    { doc: 'Rarely used.' },
  );
  const Root = block(
    'root',
    () => ({ rare: optional(Rare, 'R.'), either: optional(either(mark(whole, { plain: true }), list(Rare)), 'E.') }),
    { doc: 'R.' },
  );
  read(Root, 'either: 1', 'scenario');
  expect(made).toBe(0);
  expect(read(Root, '{rare: {a: 1}, either: [{a: 2}]}', 'scenario').value).toEqual({
    rare: { a: 1 },
    either: [{ a: 2 }],
  });
  expect(made).toBe(1);
});

test('a key called __proto__ is a key', () => {
  const Open = mapping(anything);
  const { value } = read(Open, '{"__proto__": {"polluted": 1}, "a": 2}', 'scenario');
  expect(Object.keys(value ?? {})).toEqual(['__proto__', 'a']);
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test('a part of a document is checked by itself, under its own path', () => {
  const { document } = parseDocument('a:\n  - {weight: 0}\n', 'f');
  if (document?.root.kind !== 'map') throw new Error('no map');
  const list = document.root.entries[0]?.value;
  const node = list?.kind === 'list' ? list.items[0] : undefined;
  if (node === undefined) throw new Error('no item');
  const { problems } = check(Host, document, { vocabulary: 'proxy', node, path: ['a', 0] });
  expect(brief(problems)).toEqual(['2:6 required a[0]', '2:14 range a[0].weight']);
});

test('a problem found later has the place of its path, or of the nearest part that there is', () => {
  const { document } = parseDocument('clusters:\n  - name: a\n    lbPolicy: X\n', 'f');
  if (document === undefined) throw new Error('no document');
  const at = (path: readonly (string | number)[]): string => {
    const { line, column, length = 0 } = problemAt(document, path, 'error', 'name', 'm');
    return `${line}:${column}+${length}`;
  };
  expect(at(['clusters', 0, 'name'])).toBe('2:11+1');
  expect(at(['clusters', 0, 'lb_policy'])).toBe('3:15+1');
  expect(at(['clusters', 0, 'missing', 'deep'])).toBe('2:5+4');
  expect(at(['clusters', 7])).toBe('1:1+8');
  expect(at([])).toBe('1:1+8');
});
