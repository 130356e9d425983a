import { onlyTrue } from '../config/reader/plain-choices.js';
import { effectiveAssignment } from '../config/assignment-rules.js';
import { discoveryType } from '../config/discovery.js';
import { formatIp, parseIp } from '../config/ip.js';
import { block, list, mapping, optional, type Schema } from '../config/reader.js';
import type { Cluster } from '../config/types.js';
import { DurationText, scalar } from './fields.js';
import type { DnsAnswer } from './timeline-model.js';
import { accept, refuse } from './units.js';

/** `dns`: the answers of the resolver. A name that is not in the map does not exist: a successful, empty answer. */

const IpAddress: Schema<string> = scalar('IP address', 'address', (text) => {
  const ip = parseIp(text);
  return ip === undefined
    ? refuse(`"${text}" is not an IP address; ports belong to the cluster`)
    : accept(formatIp(ip));
});

const Answer: Schema<DnsAnswer> = block(
  'dns answer',
  () => ({
    addresses: optional(list(IpAddress), 'IP addresses, IPv4 and IPv6; [] is an empty answer.'),
    ttl: optional(DurationText, 'Time to live; read where the cluster has respect_dns_ttl.'),
    fail: optional(onlyTrue('fail is true, or left out'), 'The resolver does not answer for this name.'),
  }),
  {
    doc: 'The answer for one name.',
    oneOfs: [{ name: 'answer', fields: ['addresses', 'fail'], required: true }],
    rules: [
      {
        name: 'dns-ttl',
        reads: ['ttl', 'fail'],
        check: ({ ttl, fail }, report) => {
          if (ttl !== undefined && fail !== undefined) report('a query that fails has no ttl', ['ttl']);
        },
      },
    ],
  },
).transform(({ addresses, ttl }): DnsAnswer => (addresses === undefined ? { fail: true } : { addresses, ttlUs: ttl }));

export const DnsMap: Schema<ReadonlyMap<string, DnsAnswer>> = mapping(Answer).transform(
  (answers) => new Map(Object.entries(answers)),
);

/** Names are case-insensitive, and a final dot has no meaning. */
export function canonicalName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

/**
 * One note for each DNS cluster with names that the resolver never answers: those hosts do not exist, as with every DNS
 * cluster pasted from production.
 *
 * @param answers all answers of the resolver, at the start and later.
 */
export function unresolvedNotes(
  clusters: readonly Cluster[],
  answers: readonly ReadonlyMap<string, DnsAnswer>[],
): readonly string[] {
  const known = new Set(answers.flatMap((map) => [...map.keys()].map(canonicalName)));
  return clusters.flatMap((cluster) => {
    const type = discoveryType(cluster);
    if (type !== 'STRICT_DNS' && type !== 'LOGICAL_DNS') return [];
    const endpoints = effectiveAssignment(cluster)?.endpoints ?? [];
    const names = endpoints.flatMap(({ lbEndpoints }) =>
      lbEndpoints.flatMap(({ endpoint }) => endpoint.address.socketAddress?.address ?? []),
    );
    const unknown = new Set(names.filter((name) => parseIp(name) === undefined && !known.has(canonicalName(name))));
    const [first] = unknown;
    if (first === undefined) return [];
    const what = unknown.size === 1 ? `${first}, which` : `${unknown.size} names, as ${first}, which`;
    return [`${cluster.name} asks the resolver for ${what} dns does not have: no hosts come of it`];
  });
}
