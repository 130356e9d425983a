import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearRegexProblem, LinearRegex } from '../../../src/core/regex/linear-regex.js';
import { regexProblem } from '../../../src/core/regex/linear-regex.js';
import verdicts from './verdicts-1.40.json' with { type: 'json' };
import { UnsupportedRegexError } from '../../../src/core/regex/pattern.js';

// What a proxy 1.40 said of each as `safe_regex` of a route and as `regex` of a tag; null: it took it.
describe.each(['re2', 'ecmascript'] as const)('verdicts of the proxy: %s', (dialect) => {
  it('are ours, with their words', () => {
    const ours = Object.keys(verdicts[dialect]).map((source) => {
      const problem = regexProblem(source, dialect);
      return [source, problem?.slice(`Invalid regex '${source}': `.length) ?? null];
    });
    expect(Object.fromEntries(ours)).toEqual(verdicts[dialect]);
  });
});

const ASSERTIONS = ['^', '$', '\\b', '\\B'];
const REPEATS = ['', '', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{0}', '{1,2}', '{0,2}', '{2,}', '{0,2}?'];

/** Expressions nested at random: groups, repeats of what may be nothing, choices with nothing in them. */
const expressions = fc.letrec<{ expression: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom('a', 'b', 'c', '.', '\\d', '\\w', '\\s', '[ab]', '[^a]', '[a-c1]', '\\.', ...ASSERTIONS),
    tie('expression').map((body) => `(${body})`),
    tie('expression').map((body) => `(?:${body})`),
  ),
  expression: fc
    .array(
      fc
        .tuple(tie('atom'), fc.constantFrom(...REPEATS), fc.boolean())
        .map(([atom, repeat, or]) => (ASSERTIONS.includes(atom) ? atom : atom + repeat) + (or ? '|' : '')),
      { minLength: 1, maxLength: 4 },
    )
    .map((parts) => parts.join('')),
})).expression;

/** The platform's engine tries everything: what is long or nested keeps it busy for ever. */
function isQuick(source: string): boolean {
  return source.length <= 24 && (source.match(/[*+?{]/g)?.length ?? 0) <= 5;
}

const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', '.', ' ', '\n'), maxLength: 6 });

/** [from, to) of the match and of each group, null for those that took no part; undefined: no match. */
function platform(source: string, text: string): unknown {
  return new RegExp(source, 'd').exec(text)?.indices?.map((range) => range ?? null);
}

function own(source: string, text: string): unknown {
  const regex = new LinearRegex(source, 'ecmascript');
  const match = regex.search(text);
  if (match === undefined) return undefined;
  return Array.from({ length: regex.groups + 1 }, (_, group) => match.range(group) ?? null);
}

describe('ECMAScript', () => {
  it('matches and captures what the platform’s engine does', () => {
    fc.assert(
      fc.property(expressions, texts, (source, text) => {
        fc.pre(isQuick(source));
        expect(own(source, text)).toEqual(platform(source, text));
        expect(new LinearRegex(source, 'ecmascript').matches(text)).toBe(new RegExp(`^(?:${source})$`).test(text));
      }),
      { numRuns: 1000 },
    );
  });

  it('lets nothing pass that is no expression to the platform, and means the same by the rest', () => {
    const noise = fc.string({ unit: fc.constantFrom(...Array.from('ab1()[]^$\\.*+?{},|-dwsbx0')), maxLength: 10 });
    fc.assert(
      fc.property(noise, texts, (source, text) => {
        fc.pre(linearRegexProblem(source, 'ecmascript') === undefined);
        expect(own(source, text)).toEqual(platform(source, text));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['_rq(_(\\d{3}))$', 'cluster.up.upstream_rq_503'],
    ['^cluster\\.((.+?)\\.)', 'cluster.dot.ted.x'],
    ['(a|ab)(c|bcd)(d*)', 'abcd'],
    ['x(time)?', 'x'],
    // A round forgets the groups of the one before; one that reads nothing is none.
    ['((?:(a)|b)*)', 'ab'],
    ['(a*)*', 'b'],
    ['(?:a??){0,2}', 'aa'],
    ['((x)*)membership', 'membership'],
    ['(z)((a+)?(b+)?(c))*', 'zaacbbbcac'],
    ['[\\x61\\u0062]+\\cJ?', 'abab'],
  ])('%s in %s', (source, text) => {
    expect(own(source, text)).toEqual(platform(source, text));
  });

  it.each([
    ['(a', 'The expression contained mismatched ( and ).'],
    ['a]', 'The parser did not consume the entire regular expression.'],
    ['(a]', 'The expression contained mismatched ( and ).'],
    ['a)', 'The parser did not consume the entire regular expression.'],
    ['[a', 'The expression contained mismatched [ and ].'],
    ['(?i)a', 'One of *?+{ was not preceded by a valid regular expression.'],
    ['(?<n>a)', 'One of *?+{ was not preceded by a valid regular expression.'],
    ['a**', 'One of *?+{ was not preceded by a valid regular expression.'],
    ['^*', 'One of *?+{ was not preceded by a valid regular expression.'],
    ['{', 'One of *?+{ was not preceded by a valid regular expression.'],
    ['a{2', 'The expression contained mismatched { and }.'],
    ['a{2,1}', 'The expression contained an invalid range in a {} expression.'],
    ['\\q', 'The expression contained an invalid escaped character, or a trailing escape.'],
    ['a\\', 'The expression contained an invalid escaped character, or a trailing escape.'],
    ['[b-a]', 'The expression contained an invalid character range, such as [b-a] in most encodings.'],
    ['[a-\\d]', 'The expression contained an invalid character range, such as [b-a] in most encodings.'],
    ['[[:foo:]]', 'The expression contained an invalid character class name.'],
    ['(a)\\2', 'The expression contained an invalid back reference.'],
  ])('%s is refused as the proxy refuses it', (source, problem) => {
    expect(regexProblem(source, 'ecmascript')).toBe(`Invalid regex '${source}': ${problem}`);
  });

  it.each([
    ['a(?=b)', 'look-ahead cannot be matched in linear time'],
    ['(a)\\1', 'back-references cannot be matched in linear time'],
    ['((a{1000}){1000})', 'the repeats make it too large'],
    ['(?:(?:(?:){10000}){10000}){10000}', 'the repeats make it too large'],
    ['a{0,99999999}', 'the repeats make it too large'],
    [`${'('.repeat(5000)}a${')'.repeat(5000)}`, 'it is nested too deeply'],
    ['[[.hyphen.]]', 'names of characters, as in [.hyphen.], are not known'],
  ])('%s is one, but is not run', (source, problem) => {
    expect(regexProblem(source, 'ecmascript')).toBeUndefined();
    expect(linearRegexProblem(source, 'ecmascript')).toBe(problem);
  });

  it('takes no exponential time', () => {
    const many = 'a'.repeat(3000);
    // A backtracking engine needs more steps than there are atoms.
    for (const evil of ['^(a+)+$', '(a|a)*b', '^(a|aa)+$', '(.*)*x', '(a*)*b', '^((a+)*(a*)+)*$', '(a?){25}a{25}$']) {
      expect(new LinearRegex(evil, 'ecmascript').matches(`${many}!`)).toBe(false);
    }
  });

  it('knows POSIX classes', () => {
    expect(own('([[:alpha:]]+)\\.', '1cluster.up')).toEqual([
      [1, 9],
      [1, 8],
    ]);
  });
});

describe('RE2', () => {
  // What a proxy did with each as an inclusion list on the name cluster.up.membership_total.
  it.each([
    ['cluster\\.up\\.membership_total', true],
    ['membership', false],
    ['(?i)CLUSTER.*total', true],
    ['.*(?i:TOTAL)', true],
    ['.*(?i-s:TOTAL)', true],
    ['.*(?-i)TOTAL', false],
    ['.*[[:alpha:]]total', false],
    ['.*[[:^alpha:]]total', true],
    ['\\Acluster.*total\\z', true],
    ['.*\\pLtotal', false],
    ['.*\\p{Lu}*total', true],
    ['.*(?P<n>total)', true],
    ['.*(?<n>total)', true],
    ['\\Qcluster.up.\\E.*total', true],
    ['\\Qcluster.up.*\\E.*total', false],
    ['.*[]_]total', true],
    ['.*_total|.*{', true],
    ['.*\\_total', true],
    ['.*\\x74otal', true],
    ['.*\\x{74}otal', true],
    ['.*\\164otal', true],
    ['.*total$', true],
    ['.*(?U)total', true],
    ['.*\\a?total', true],
    ['(((((.*)total))))', true],
    ['.*\\btotal', false],
    ['.*_\\Btotal', true],
    ['.*tot(?:al){1,}', true],
    ['.*[^\\W]total', true],
    ['.*[\\d_]total', true],
    ['.*(|x)total', true],
    ['.*()*total', true],
    ['.*x{,2}total', false],
    ['.*\\0?total', true],
    ['(?i)[^C]luster.*', false],
    ['.*(?)total', true],
    ['.*[\\d-_]total', true],
    ['.*[[:word:]]total', true],
    ['.*[[:^word:]]total', false],
    ['(a{100}){10}|.*total', true],
    // Flags are nothing that could be repeated, and what is quoted is repeated by its last character.
    ['x(?i)*.*TOTAL', true],
    ['.*\\Qtotal\\E+', true],
    ['.*\\Qtotal\\E{2}', false],
    ['.*(?i)\\p{Lu}{5}', true],
    ['.*(?i)[^[:lower:]]', false],
  ])('%s', (source, matches) => {
    expect(regexProblem(source, 're2')).toBeUndefined();
    expect(new LinearRegex(source, 're2').matches('cluster.up.membership_total')).toBe(matches);
  });

  it.each([
    ['.*a**', 'bad repetition operator: **'],
    ['.*x*+', 'bad repetition operator: *+'],
    ['.*x*??total', 'bad repetition operator: *??'],
    ['*', 'no argument for repetition operator: *'],
    ['.*total{1001}', 'invalid repetition size: {1001}'],
    ['.*x{2,1}', 'invalid repetition size: {2,1}'],
    ['(?:(.{20})*){51}', 'invalid repetition size: {51}'],
    ['(a{500}){500}', 'invalid repetition size: {500}'],
    ['((a{10}b|c){10,}){11}', 'invalid repetition size: {11}'],
    ['.*(?=x)', 'invalid perl operator: (?='],
    ['.*total(?#c)', 'invalid perl operator: (?#'],
    ['(.).*\\1', 'invalid escape sequence: \\1'],
    ['.*\\u0074otal', 'invalid escape sequence: \\u'],
    ['.*\\8total', 'invalid escape sequence: \\8'],
    ['.*total\\Z', 'invalid escape sequence: \\Z'],
    ['.*[a-\\d]total', 'invalid escape sequence: \\d'],
    ['.*[z-a]total', 'invalid character class range: z-a'],
    ['(', 'missing ): ('],
  ])('%s is refused as the proxy refuses it', (source, problem) => {
    expect(regexProblem(source, 're2')).toBe(`Invalid regex '${source}': ${problem}`);
  });

  it('stops where all searches together took as many steps as they may', () => {
    const regex = new LinearRegex('.{0,50}x', 're2', 1_000, 10_000);
    const searches = (): number => {
      for (let done = 0; ; done++) if (regex.search('a'.repeat(20)) !== undefined || done > 1_000) return done;
    };
    expect(searches).toThrow(new UnsupportedRegexError('it takes too long over so much text'));
    expect(new LinearRegex('.{0,50}x', 're2', 1_000, 10_000).search('a'.repeat(20))).toBeUndefined();
  });

  it('reads names by characters', () => {
    expect(new LinearRegex('...', 're2').matches('a😀é')).toBe(true);
    expect(new LinearRegex('(?i)É', 're2').matches('é')).toBe(true);
    expect(linearRegexProblem('\\C', 're2')).toBe('\\C matches a byte; names are read by characters');
  });

  it('agrees with the platform’s engine where both mean the same', () => {
    fc.assert(
      fc.property(expressions, texts, (source, text) => {
        fc.pre(isQuick(source));
        expect(new LinearRegex(source, 're2').matches(text)).toBe(new RegExp(`^(?:${source})$`).test(text));
      }),
      { numRuns: 500 },
    );
  });
});

describe('replacing every match, as RE2 does', () => {
  it.each([
    ['^(\\w+)-.*$', '\\1', 'ann-17', 'ann'],
    ['a', 'b', 'banana', 'bbnbnb'],
    // An empty match that touches the one before is none.
    ['a*', '-', 'baac', '-b-c-'],
    ['x?', '_', '', '_'],
    ['\\b', '|', 'a b', '|a| |b|'],
    ['^a', '', 'aab', 'ab'],
    ['(a)|(b)', '<\\2\\0>', 'ab', '<a><bb>'],
    ['a', '\\\\', 'xay', 'x\\y'],
    ['a', '\\1', 'xay', 'xay'],
    ['a', 'q\\z', 'xay', 'xqy'],
    ['', '-', '😀', '-😀-'],
  ])('%s by %s in %s', (pattern, substitution, text, expected) => {
    expect(new LinearRegex(pattern, 're2').replaceAll(text, substitution)).toBe(expected);
  });
});
