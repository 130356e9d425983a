import ts from 'typescript';

/** A change of one place of a source file. */
export interface Mutation {
  readonly file: string;
  /** Offsets into the source. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly isStatement: boolean;
  /** From 1. */
  readonly line: number;
  /** The declaration around it, as `pick` or `ListBalancer.pick`. */
  readonly place: string;
  /** What is changed into what, as `< → <=`; where a place has several, all but the first are numbered, in the order of the source: `< → <= #2`. */
  readonly change: string;
  /** The beginning of what is changed. */
  readonly brief: string;
}

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>'],
  '<=': ['<', '>'],
  '>': ['>=', '<'],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '>>>': ['<<'],
  '<<': ['>>>'],
  '&': ['|'],
  '|': ['&'],
  '^': ['&'],
  '+=': ['-='],
  '-=': ['+='],
};

const METHODS: Readonly<Record<string, string>> = {
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  some: 'every',
  every: 'some',
};

/**
 * All mutations of a file, in the order of the source: operators and constants changed, conditions negated, statements
 * and returns dropped.
 *
 * Left alone is what decides nothing: types, texts, what traces a decision, and assertions.
 */
export function mutationsOf(file: string, source: string): readonly Mutation[] {
  const root = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: Mutation[] = [];
  const seen = new Map<string, number>();
  const add = (node: ts.Node, replacement: string, change: string): void => {
    const start = node.getStart(root);
    const { line } = root.getLineAndCharacterOfPosition(start);
    const place = placeOf(node);
    const nth = 1 + (seen.get(`${place} ${change}`) ?? 0);
    seen.set(`${place} ${change}`, nth);
    found.push({
      file,
      start,
      end: node.end,
      replacement,
      isStatement: ts.isStatement(node),
      line: line + 1,
      place,
      change: nth === 1 ? change : `${change} #${nth}`,
      brief: node.getText(root).replace(/\s+/g, ' ').slice(0, 60),
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || decidesNothing(node)) return;
    for (const [replacement, change] of changesOf(node, root)) add(node, replacement, change);
    if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
      const condition = ts.isIfStatement(node) ? node.expression : node.condition;
      const text = condition.getText(root);
      if (!isNegatedElsewhere(condition)) add(condition, `!(${text})`, 'not');
    }
    ts.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

/** The names of the declarations around a node, down to a member of a class or of an object. */
function placeOf(node: ts.Node): string {
  const names: string[] = [];
  for (let at = node; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isConstructorDeclaration(at)) names.unshift('constructor');
    else if (ts.isClassElement(at) || ts.isClassDeclaration(at) || ts.isFunctionDeclaration(at))
      names.unshift(at.name?.getText() ?? '');
    else if (ts.isVariableDeclaration(at) && ts.isSourceFile(at.parent.parent.parent)) names.unshift(at.name.getText());
  }
  return names.join('.');
}

/** Facts of policies that advice, predictions and laws go by; what the schema of a policy's settings allows. */
const FACTS = /^(usesWeights|looksAtLoad|drawsHosts|entriesVary|ignoresHostOrder|settings|gauges)$/;
/** What shows, counts and explains. */
const REPORTS =
  /^(trace|describe)|^(keyShares|turns(At|Of)?|count(Default|ActiveOverflow|Expectations|ingOf)?|gauges(Duplicates)?|emptyFact|duplicatesAfter|shown|positionOf|queued|isPrime|destroy|scheduleStep|fewestInputs|levelNames)$/;
const ASSERTIONS = /^assert\(/;
const STATISTICS =
  /\b[sS]tats\b.*(\+\+|\+=)|subsetStats\.(?!rebuildZones)|\bstats\.(tables|policy)\b|\bconfig\.count\(/;
const TRACES = /\btrace !== undefined/;

function decidesNothing(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  if (ts.isThrowStatement(node)) return true;
  if (ts.isExpressionStatement(node)) {
    const text = node.getText();
    return (
      ASSERTIONS.test(text) ||
      /^decision\.subset = /.test(text) ||
      STATISTICS.test(text) ||
      /\btrace = trace|^trace\b/.test(text)
    );
  }
  if (ts.isCallExpression(node)) return /^(assert|trace|\w+\.trace|this\.trace\w*)$/.test(node.expression.getText());
  if (ts.isIfStatement(node)) return TRACES.test(node.expression.getText());
  if (ts.isPropertyAssignment(node)) return FACTS.test(node.name.getText());
  if (ts.isMethodDeclaration(node)) return REPORTS.test(node.name.getText());
  if (ts.isFunctionDeclaration(node)) return REPORTS.test(node.name?.text ?? '');
  return false;
}

function* changesOf(node: ts.Node, root: ts.SourceFile): Generator<readonly [replacement: string, change: string]> {
  const text = (part: ts.Node): string => part.getText(root);
  if (ts.isBinaryExpression(node)) {
    const { left, operatorToken, right } = node;
    const operator = text(operatorToken);
    const isText = [left, right].some((part) => ts.isStringLiteral(part) || ts.isTemplateExpression(part));
    for (const other of isText && operator === '+' ? [] : (OPERATORS[operator] ?? [])) {
      yield [`${text(left)} ${other} ${text(right)}`, `${operator} → ${other}`];
    }
  } else if (ts.isNumericLiteral(node)) {
    const value = Number(node.text);
    if (value <= 1) yield [String(1 - value), `${value} → ${1 - value}`];
    if (value !== 0) yield [String(value + 1), `${value} → ${value + 1}`];
  } else if (node.kind === ts.SyntaxKind.TrueKeyword) {
    yield ['false', 'true → false'];
  } else if (node.kind === ts.SyntaxKind.FalseKeyword) {
    yield ['true', 'false → true'];
  } else if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
    yield* changesOfUnary(node, text);
  } else if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { expression, name } = node.expression;
    const other = METHODS[name.text];
    if (other === undefined) return;
    const args = node.arguments.map(text).join(', ');
    yield [`${text(expression)}.${other}(${args})`, `${name.text} → ${other}`];
  } else if (ts.isExpressionStatement(node) || ts.isReturnStatement(node) || ts.isContinueStatement(node)) {
    if (text(node).startsWith('super(')) return;
    // A block, so that an arrow function or a loop keeps a body.
    yield [
      '{}',
      ts.isExpressionStatement(node) ? 'dropped' : `without ${ts.isReturnStatement(node) ? 'return' : 'continue'}`,
    ];
  }
}

function* changesOfUnary(
  node: ts.PrefixUnaryExpression | ts.PostfixUnaryExpression,
  text: (part: ts.Node) => string,
): Generator<readonly [string, string]> {
  const operand = text(node.operand);
  const [from, to] =
    node.operator === ts.SyntaxKind.PlusPlusToken
      ? ['++', '--']
      : node.operator === ts.SyntaxKind.MinusMinusToken
        ? ['--', '++']
        : ['', ''];
  if (from !== '') yield [ts.isPrefixUnaryExpression(node) ? to + operand : operand + to, `${from} → ${to}`];
  if (node.operator === ts.SyntaxKind.ExclamationToken) yield [operand, 'without !'];
}

/** Negating a comparison is a mutation of its operator, and that of a negation one of its own. */
function isNegatedElsewhere(condition: ts.Expression): boolean {
  if (ts.isPrefixUnaryExpression(condition)) return condition.operator === ts.SyntaxKind.ExclamationToken;
  return ts.isBinaryExpression(condition) && /^[!=]==$/.test(condition.operatorToken.getText());
}

/**
 * The source with all these mutations in it, by number.
 *
 * @param isActive the text of a condition that holds for the mutation that is to act.
 */
export function withMutations(
  source: string,
  mutations: readonly { readonly mutation: Mutation; readonly number: number }[],
  isActive: (number: number) => string,
): string {
  const opening = new Map<number, { readonly end: number; readonly text: string }[]>();
  const closing = new Map<number, { readonly start: number; readonly text: string }[]>();
  for (const { mutation, number } of mutations) {
    const { start, end, replacement, isStatement } = mutation;
    const condition = isActive(number);
    const open = isStatement ? `{if (${condition}) ${replacement} else ` : `(${condition} ? (${replacement}) : (`;
    put(opening, start, { end, text: open });
    put(closing, end, { start, text: isStatement ? '}' : '))' });
  }
  let text = '';
  for (let at = 0; at <= source.length; at++) {
    // The inner ones close first, the outer ones open first.
    for (const close of (closing.get(at) ?? []).sort((a, b) => b.start - a.start)) text += close.text;
    for (const open of (opening.get(at) ?? []).sort((a, b) => b.end - a.end)) text += open.text;
    text += source[at] ?? '';
  }
  return text;
}

function put<T>(map: Map<number, T[]>, key: number, value: T): void {
  map.set(key, [...(map.get(key) ?? []), value]);
}
