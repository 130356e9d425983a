import { onlyTrue, list, mapping, optional, rule, type Schema } from '../../config/reader.js';
import { formatIp, parseIp } from '../../core/ip.js';
import { block } from './block.js';
import { DurationText, scalar } from './fields.js';
import type { DnsAnswer } from '../../settings/world.js';
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
    addresses: optional(list(IpAddress)),
    ttl: optional(DurationText),
    fail: optional(onlyTrue('fail is true, or left out')),
  }),
  rule('dns-ttl', ['ttl', 'fail'], ({ ttl, fail }, report) => {
    if (ttl !== undefined && fail !== undefined) report('a query that fails has no ttl', ['ttl']);
  }),
).transform(({ addresses, ttl }): DnsAnswer => (addresses === undefined ? { fail: true } : { addresses, ttlUs: ttl }));

export const DnsMap: Schema<ReadonlyMap<string, DnsAnswer>> = mapping(Answer).transform(
  (answers) => new Map(Object.entries(answers)),
);
