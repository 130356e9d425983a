import { Cluster } from '../../../src/config/cluster/cluster.js';
import { policySettings } from '../../../src/config/lb.js';
import { check as checkSchema, parseDocument } from '../../../src/config/reader.js';
import type { Problem } from '../../../src/core/problem.js';
import type { ProxyVersion } from '../../../src/core/version.js';
import { leafOf, type LoadBalancerConfig } from '../../../src/hostset/lb-config.js';
import type { Check } from '../check.js';
import type { Fields } from '../fields.js';
import { FormatError } from '../fields.js';

/** What else makes a cluster. Its hosts come from the vector; of a type that may hash by hostname. */
const REST_OF_THE_CLUSTER = {
  name: 'backend',
  connect_timeout: '1s',
  type: 'STRICT_DNS',
  load_assignment: { cluster_name: 'backend' },
};

interface ReadConfig {
  /** undefined where it is refused. */
  readonly config: LoadBalancerConfig | undefined;
  readonly errors: readonly Problem[];
}

/** The vector's `config` as the product reads it from a file. */
function readConfig(vector: Fields, version: ProxyVersion): ReadConfig {
  const fields = { ...REST_OF_THE_CLUSTER, ...(vector.unknown('config') as object) };
  const { document, problems } = parseDocument(JSON.stringify(fields), 'config');
  if (document === undefined) return { config: undefined, errors: problems };
  const read = checkSchema(Cluster, document, { vocabulary: 'proxy' });
  return {
    config: read.value && leafOf(policySettings(read.value, version)),
    errors: [...problems, ...read.problems].filter(({ severity }) => severity === 'error'),
  };
}

/** @throws FormatError where the product refuses the configuration. */
export function acceptedConfig(vector: Fields, version: ProxyVersion): LoadBalancerConfig {
  const { config, errors } = readConfig(vector, version);
  if (config === undefined) throw new FormatError(`config: ${errors.map(({ message }) => message).join('; ')}`);
  return config;
}

/** The proxy refuses the configuration. Ours says so in the proxy's words, and may add to them. */
export function compareConfigError(vector: Fields, version: ProxyVersion, check: Check): void {
  const expected = vector.string('expect_config_error');
  const { errors } = readConfig(vector, version);
  const messages = errors.map(({ message }) => message);
  check.that(
    'config error',
    messages.some((message) => message.startsWith(expected)),
    () => {
      return `expected ${JSON.stringify(expected)}, got ${JSON.stringify(messages)}`;
    },
  );
  // Nothing else can be asked of a cluster that is refused.
  vector.ignore('policy', 'priorities', 'steps');
}
