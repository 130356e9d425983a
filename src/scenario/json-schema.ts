import { Bootstrap } from '../config/bootstrap.js';
import { Cluster } from '../config/cluster.js';
import { jsonSchema } from '../config/json-schema.js';
import { ScenarioFile } from './scenario.js';

/** The kinds of files that lbsim reads. */
export type SchemaKind = 'scenario' | 'cluster' | 'bootstrap';

/** JSON Schema (draft 2020-12) of a kind of file, for editors and validators. */
export function schemaOf(kind: SchemaKind): Readonly<Record<string, unknown>> {
  switch (kind) {
    case 'scenario':
      return jsonSchema(ScenarioFile, 'lbsim scenario');
    case 'cluster':
      return jsonSchema(Cluster, 'v2 Cluster');
    case 'bootstrap':
      return jsonSchema(Bootstrap, 'v2 Bootstrap');
  }
}
