import { join } from 'node:path';
import ts from 'typescript';
import { typeProgram } from './type-program.js';

/**
 * JSON Schemas (draft 2020-12) of what commands print, made from the types of src/report/documents.ts: what a field means
 * is its comment there. Objects are closed, so that a new field has to enter its schema.
 */

type Json = Readonly<Record<string, unknown>>;

const documents = join(import.meta.dirname, '../../src/report/documents.ts');

/** By command, as `lbsim schema --output` knows them. */
export function outputSchemas(): ReadonlyMap<string, Json> {
  const { checker, exported } = typeProgram(documents);
  const typeNamed = (name: string): ts.Type => {
    const symbol = exported.find((one) => one.name === name);
    if (symbol === undefined) throw new Error(`src/report/documents.ts exports no ${name}`);
    return checker.getDeclaredTypeOfSymbol(symbol);
  };
  const problems = typeNamed('ProblemsDocument');
  return new Map(
    checker.getPropertiesOfType(typeNamed('Documents')).map((command) => {
      const writer = new Writer(checker);
      const document = checker.getTypeOfSymbol(command);
      // A stream of lines tells of problems on standard error alone.
      const forms = command.name === 'decisions' ? [document] : [...partsOf(document), problems];
      const schemas = forms.map((type) => writer.of(type));
      const title = command.name === 'decisions' ? 'a line of lbsim run --decisions' : `lbsim ${command.name} --json`;
      return [
        command.name,
        {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          title,
          ...(schemas.length === 1 ? schemas[0] : { anyOf: schemas }),
          $defs: Object.fromEntries([...writer.definitions].sort(([a], [b]) => (a < b ? -1 : 1))),
        },
      ];
    }),
  );
}

function partsOf(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type];
}

class Writer {
  readonly definitions = new Map<string, Json>();
  private readonly names = new Map<ts.Type, string>();

  constructor(private readonly checker: ts.TypeChecker) {}

  of(type: ts.Type): Json {
    const name = this.nameOf(type);
    if (name === undefined) return this.form(type);
    let defined = this.names.get(type);
    if (defined === undefined) {
      defined = name;
      for (let number = 2; this.definitions.has(defined); number++) defined = `${name}-${String(number)}`;
      this.names.set(type, defined);
      // It may refer to itself.
      this.definitions.set(defined, {});
      this.definitions.set(defined, {
        ...described(type.aliasSymbol ?? type.symbol, this.checker),
        ...this.form(type),
      });
    }
    return { $ref: `#/$defs/${defined}` };
  }

  /** What has a name in the sources, and means the same wherever it stands, is defined once. */
  private nameOf(type: ts.Type): string | undefined {
    const { aliasSymbol, aliasTypeArguments, symbol } = type;
    if (aliasSymbol !== undefined && aliasTypeArguments === undefined) return aliasSymbol.name;
    if (aliasSymbol !== undefined || !isObject(type)) return undefined;
    const isNamed = (symbol.flags & ts.SymbolFlags.Interface) !== 0;
    const isPlain = (type.objectFlags & ts.ObjectFlags.Reference) === 0 || !this.isGeneric(type);
    return isNamed && isPlain && !this.checker.isArrayLikeType(type) ? symbol.name : undefined;
  }

  private isGeneric(type: ts.Type): boolean {
    return this.checker.getTypeArguments(type as ts.TypeReference).length > 0;
  }

  private form(type: ts.Type): Json {
    const { checker } = this;
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {};
    if (type.flags & ts.TypeFlags.Null) return { type: 'null' };
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if (type.flags & ts.TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === 'true' };
    if (type.flags & (ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral)) return { type: 'string' };
    if (type.flags & ts.TypeFlags.Number) return { type: 'number' };
    if (type.flags & ts.TypeFlags.Boolean) return { type: 'boolean' };
    if (type.isUnion()) return this.union(type.types);
    if (checker.isTupleType(type)) {
      const items = checker.getTypeArguments(type as ts.TypeReference).map((item) => this.of(item));
      return { type: 'array', prefixItems: items, minItems: items.length, maxItems: items.length };
    }
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as ts.TypeReference);
      if (item !== undefined) return { type: 'array', items: this.of(item) };
    }
    if (isObject(type) || type.isIntersection()) return this.object(type);
    throw new Error(`JSON has no form for ${checker.typeToString(type)}`);
  }

  private union(types: readonly ts.Type[]): Json {
    const present = types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
    const [only] = present;
    if (only !== undefined && present.length === 1) return this.of(only);
    const isBoolean = ({ flags }: ts.Type): boolean => (flags & ts.TypeFlags.BooleanLiteral) !== 0;
    const booleans = present.filter(isBoolean);
    const literals = present.filter((one) => one.isLiteral() || (isBoolean(one) && booleans.length === 1));
    const others = present.filter((one) => !literals.includes(one) && !isBoolean(one));
    const forms: Json[] = [
      ...(literals.length === 0 ? [] : [{ enum: literals.map((one) => this.form(one)['const']) }]),
      ...(booleans.length === 2 ? [{ type: 'boolean' }] : []),
      ...others.map((one) => this.of(one)),
    ];
    const [first] = forms;
    return first !== undefined && forms.length === 1 ? first : { anyOf: forms };
  }

  private object(type: ts.Type): Json {
    const { checker } = this;
    const index = checker.getIndexTypeOfType(type, ts.IndexKind.String);
    // Record<string, never>: an object without fields.
    const values = index !== undefined && index.flags & ts.TypeFlags.Never ? undefined : index;
    const properties = checker.getPropertiesOfType(type);
    const required = properties.filter(({ flags }) => !(flags & ts.SymbolFlags.Optional)).map(({ name }) => name);
    return {
      type: 'object',
      ...(properties.length > 0 && {
        properties: Object.fromEntries(
          properties.map((one) => [one.name, { ...described(one, checker), ...this.of(checker.getTypeOfSymbol(one)) }]),
        ),
      }),
      ...(required.length > 0 && { required }),
      additionalProperties: values === undefined ? false : this.of(values),
    };
  }
}

function isObject(type: ts.Type): type is ts.ObjectType {
  return (type.flags & ts.TypeFlags.Object) !== 0;
}

/** The comment of a field or a type: its words, without links. */
function described(symbol: ts.Symbol, checker: ts.TypeChecker): Json {
  const text = ts
    .displayPartsToString(symbol.getDocumentationComment(checker))
    .replace(/\{@link (\w+)\}/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' ? {} : { description: text };
}
