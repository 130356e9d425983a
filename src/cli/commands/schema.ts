import type { ApiVersion } from '../../config/api/api.js';
import { jsonDocument } from '../../report/run-json.js';
import type { SchemaKind } from '../../scenario/json-schema.js';
import { schemaOf } from '../../scenario/json-schema.js';
import { ExitCode } from '../exit-code.js';
import type { Session } from '../session.js';

/** `lbsim schema [KIND] [--api v2|v3]`: JSON Schema for editors and validators, on standard output. */
export async function schema(kind: SchemaKind, api: ApiVersion, session: Session): Promise<ExitCode> {
  await session.out.write(jsonDocument(schemaOf(kind, api)));
  return ExitCode.ok;
}
