import { join } from 'node:path';
import ts from 'typescript';
import { aliased, isInternal, sameNamedBases } from './reachable-types.js';
import { typeProgram } from './type-program.js';

const root = join(import.meta.dirname, '../..');

/** The doors of the package: where each is, its page, and for whom it is. */
const DOORS = [
  {
    name: 'lbsim',
    source: 'src/index.ts',
    page: 'lbsim.md',
    reader: 'the commands as functions',
    guide: 'library.md',
  },
  {
    name: 'lbsim/policies',
    source: 'src/policies/index.ts',
    page: 'policies.md',
    reader: 'policies and their parts as functions',
    guide: 'policies.md',
  },
  {
    name: 'lbsim/policies/hashing',
    source: 'src/policies/hashing/index.ts',
    page: 'hashing.md',
    reader: 'published algorithms of consistent hashing',
    guide: 'consistent-hashing.md',
  },
  {
    name: 'lbsim/testing',
    source: 'src/testing/index.ts',
    page: 'testing.md',
    reader: 'the laws of balancers as property tests',
    guide: 'testing.md',
  },
] as const;

const WRITTEN = '<!-- Written from the sources by `npm run docs`; a test holds it current. -->';

/** The reference of what the package exports, by file name: each export with its declaration and what its docstring says. */
export function apiPages(): ReadonlyMap<string, string> {
  const rows = DOORS.map(
    ({ name, page, reader, guide }) => `| [\`${name}\`](${page}) | ${reader} | [${guide}](../${guide}) |`,
  );
  const overview = `${WRITTEN}

# API reference

For those who call lbsim from a program: every export of the package, with its declaration and docstring.

| import | what it has | guide with examples |
|---|---|---|
${rows.join('\n')}
`;
  return new Map([['README.md', overview], ...DOORS.map((door) => [door.page, pageOf(door)] as const)]);
}

const GROUPS = ['Functions', 'Classes', 'Values', 'Types'] as const;

interface Entry {
  readonly group: (typeof GROUPS)[number];
  readonly name: string;
  readonly text: string;
}

function pageOf({ name, source, reader, guide }: (typeof DOORS)[number]): string {
  const { checker, exported } = typeProgram(join(root, source));
  const entries = exported
    .flatMap((symbol) => entryOf(symbol, checker))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const groups = GROUPS.flatMap((group) => {
    const own = entries.filter((entry) => entry.group === group);
    return own.length === 0 ? [] : [`## ${group}\n\n${own.map(({ text }) => text).join('\n\n')}`];
  });
  return `${WRITTEN}

# \`${name}\`

For those who import \`${name}\`: ${reader}, export by export. [The guide](../${guide}) has examples.

${groups.join('\n\n')}
`;
}

function entryOf(symbol: ts.Symbol, checker: ts.TypeChecker): readonly Entry[] {
  const target = aliased(symbol, checker) ?? symbol;
  const declarations = (target.declarations ?? []).filter((one) => !isInternal(one));
  const [declaration] = declarations;
  if (declaration === undefined) throw new Error(`${symbol.name} is declared nowhere`);
  const { group, code } = declared(symbol.name, declaration, declarations, checker);
  const text = [
    `### \`${symbol.name}\``,
    ...wordsOf(target, checker),
    `\`\`\`ts
${code}
\`\`\``,
  ];
  return [{ group, name: symbol.name, text: text.join('\n\n') }];
}

function declared(
  name: string,
  declaration: ts.Declaration,
  all: readonly ts.Declaration[],
  checker: ts.TypeChecker,
): { readonly group: Entry['group']; readonly code: string } {
  if (ts.isFunctionDeclaration(declaration)) {
    const overloads = all.filter(ts.isFunctionDeclaration);
    const shown = overloads.length === 1 ? overloads : overloads.filter(({ body }) => body === undefined);
    return { group: 'Functions', code: shown.map(headOf).join('\n') };
  }
  if (ts.isClassDeclaration(declaration)) return { group: 'Classes', code: classOf(declaration) };
  if (ts.isVariableDeclaration(declaration)) {
    const { initializer } = declaration;
    if (initializer !== undefined && ts.isArrowFunction(initializer)) {
      const [from, to] = [initializer.getStart(), initializer.equalsGreaterThanToken.getStart()];
      const head = initializer
        .getText()
        .slice(0, to - from)
        .trim();
      return { group: 'Functions', code: `function ${name}${head.replace(/^async /, '')}` };
    }
    const type = checker.getTypeAtLocation(declaration);
    const head = type.getCallSignatures()[0]?.getDeclaration();
    // Laws are made by one function: each is called like any other.
    if (head !== undefined && ts.isFunctionTypeNode(head) && type.getProperty('law') !== undefined)
      return { group: 'Functions', code: `function ${name}${head.getText().replace(') => ', '): ')}` };
    const text = checker.typeToString(type, declaration, ts.TypeFormatFlags.NoTruncation);
    return { group: 'Values', code: `const ${name}: ${text}` };
  }
  const bases = sameNamedBases(declaration, checker).flatMap(({ declarations: of = [] }) => of);
  return { group: 'Types', code: [declaration, ...bases].map(sourceOf).join('\n\n') };
}

/** Without its docstring, `export` and the indentation of where it stands. */
function sourceOf(node: ts.Node): string {
  const start = node.getStart();
  let text = node.getText();
  const omit = (member: ts.Node): void => {
    if (!isInternal(member)) return ts.forEachChild(member, omit);
    text = text.replace(node.getSourceFile().text.slice(Math.max(start, member.getFullStart()), member.end), '');
  };
  ts.forEachChild(node, omit);
  return text.replace(/^export /, '').replace(/^declare /, '');
}

/** A function up to its body. */
function headOf(node: ts.SignatureDeclaration & { readonly body?: ts.Node | undefined }): string {
  const text = sourceOf(node);
  const { body } = node;
  const head = body === undefined ? text : text.slice(0, text.length - body.getText().length);
  return head
    .trim()
    .replace(/;$/, '')
    .replace(/^async /, '');
}

function classOf(node: ts.ClassDeclaration): string {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  const members = node.members
    .filter((member) => (ts.getCombinedModifierFlags(member) & hidden) === 0)
    .filter(({ name }) => name === undefined || !ts.isPrivateIdentifier(name))
    .map((member) => {
      const [comment] = ts.getJSDocCommentsAndTags(member);
      const words = comment === undefined ? '' : `  ${comment.getText()}\n`;
      const head = ts.isConstructorDeclaration(member) || ts.isMethodDeclaration(member) || ts.isGetAccessor(member);
      const text = head ? headOf(member) : member.getText().replace(/ = [^]*$/, '');
      return `${words}  ${text.replace(/;$/, '')};`;
    });
  const heritage = node.heritageClauses?.map((clause) => ` ${clause.getText()}`).join('') ?? '';
  return `class ${node.name?.text ?? ''}${heritage} {\n${members.join('\n')}\n}`;
}

/** The docstring: its text, then what its tags say. */
function wordsOf(symbol: ts.Symbol, checker: ts.TypeChecker): readonly string[] {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
  const tags = symbol.getJsDocTags(checker).flatMap(({ name, text: parts }) => {
    const said = ts
      .displayPartsToString(parts)
      .trim()
      .replaceAll(/\s*\n\s*/g, ' ');
    if (said === '' || name === 'public') return [];
    if (name !== 'param') return [`- ${name}: ${said}`];
    const [, parameter = '', words = ''] = /^(\S+)\s*(.*)$/.exec(said) ?? [];
    return [`- \`${parameter}\`: ${words}`];
  });
  const links = (words: string): string => words.replaceAll(/\{@link (\S+?)\}/g, '`$1`');
  return [text, tags.join('\n')].filter((part) => part !== '').map(links);
}
