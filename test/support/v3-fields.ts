import { apiOf } from '../../src/config/api/api.js';
import { formerMessage, formerName } from '../../src/config/api/message-names.js';
import { messagesIn } from '../../src/config/messages.js';
import { apiSchema } from '../../src/config/reader/api-schema.js';
import { fieldsOf } from '../../src/config/json-schema.js';
import '../../src/config/bootstrap.js';

/** What a file of v3 can hold that balances. */
const ROOTS = [
  'config.bootstrap.v3.Bootstrap',
  'config.cluster.v3.Cluster',
  'config.endpoint.v3.ClusterLoadAssignment',
  'config.route.v3.RouteConfiguration',
  'config.core.v3.HealthCheck',
  'extensions.clusters.aggregate.v3.ClusterConfig',
  'extensions.clusters.dns.v3.DnsCluster',
  'extensions.upstreams.http.v3.HttpProtocolOptions',
  // Of the messages that routes are made of, what the traffic of a bare file follows.
  'config.route.v3.VirtualHost',
  'config.route.v3.Route',
  'config.route.v3.RouteAction',
  'config.route.v3.WeightedCluster',
  'config.route.v3.WeightedCluster.ClusterWeight',
  'config.route.v3.RetryPolicy',
];

/** Messages that stand for any extension, and are read where it is known which. */
const OPEN: ReadonlySet<string> = new Set(['config.core.v3.TypedExtensionConfig']);

export interface V3Field {
  /** With its message, by their names in v3. */
  readonly id: string;
  /** The simulation reads it. */
  readonly isRead: boolean;
  /** Its words say what it does, or why it does nothing. */
  readonly isTold: boolean;
}

/** Every field that only v3 has, of messages that are read where something is balanced. */
export function v3Fields(): readonly V3Field[] {
  const found: V3Field[] = [];
  const seen = new Set<string>();
  const open = [...ROOTS];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (seen.has(name) || OPEN.has(name)) continue;
    seen.add(name);
    const info = apiSchema(name, 'v3')?.marks.message?.as('v3');
    const table = apiOf('v3').message(name)?.fields ?? [];
    if (info === undefined) continue;
    const former = apiOf('v2').message(formerMessage(name, 'v3') ?? '')?.fields ?? [];
    for (const { name: field, marks, schema } of fieldsOf(info)) {
      const isIdle = marks.noEffect !== undefined || marks.lacking !== undefined;
      const isRead = marks.unread !== true && !isIdle;
      const type = table.find((one) => one.name === field)?.type;
      // What nobody reads has nothing in it that acts.
      if (isRead && type !== undefined && messagesIn(schema).length > 0) open.push(type);
      if (former.some((one) => one.name === formerName(field))) continue;
      found.push({ id: `${name}.${field}`, isRead, isTold: isIdle || marks.doc !== undefined });
    }
  }
  return found;
}
