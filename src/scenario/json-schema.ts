import type { ApiVersion } from '../config/api/api.js';
import { Bootstrap } from '../config/bootstrap.js';
import { Cluster } from '../config/cluster.js';
import { jsonSchema } from '../config/json-schema.js';
import { ScenarioFile } from './scenario.js';

/** The kinds of files that lbsim reads. */
export type SchemaKind = 'scenario' | 'cluster' | 'bootstrap';

/**
 * JSON Schema (draft 2020-12) of a kind of file, for editors and validators.
 *
 * @param api in which its clusters are written.
 */
export function schemaOf(kind: SchemaKind, api: ApiVersion = 'v2'): Readonly<Record<string, unknown>> {
  switch (kind) {
    case 'scenario':
      return jsonSchema(ScenarioFile, api === 'v2' ? 'lbsim scenario' : 'lbsim scenario with v3 clusters', api);
    case 'cluster':
      return jsonSchema(Cluster, `${api} Cluster`, api);
    case 'bootstrap':
      return jsonSchema(Bootstrap, `${api} Bootstrap`, api);
  }
}
