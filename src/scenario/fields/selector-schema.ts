import { block, either, optional, type Output, type Schema } from '../../config/reader.js';
import { canonicalAddress } from './host-port.js';
import { defined, withoutField } from '../../core/defined.js';
import { integer, LbMetadata, Name, scalar } from './fields.js';
import type { Selector } from '../../settings/selector.js';
import { accept, refuse } from './units.js';

/** `ip:port`, `ip` or CIDR, canonical. */
const Address: Schema<string> = scalar('address', 'address', (text) => {
  const part = /^(zone|cluster|hostname|priority|region|sub_zone)=(.*)$/.exec(text);
  return part === null ? canonicalAddress(text) : refuse(`"${text}" is not an address: write {${part[1]}: ${part[2]}}`);
});

/** A text that may be empty: hosts without a zone are in zone "". */
export const LocalityName: Schema<string> = scalar('name', 'name', accept);

/** A locality; absent parts match anything in a selector and are empty elsewhere. */
export const LocalityBlock = block(
  'locality',
  () => ({
    region: optional(LocalityName, 'Region.'),
    zone: optional(LocalityName, 'Zone.'),
    sub_zone: optional(LocalityName, 'Part of a zone.'),
  }),
  { doc: 'A place: region, zone and sub-zone.' },
);

/** `zone` is short for a locality. */
export interface LocalityFields {
  readonly zone?: string | undefined;
  readonly locality?: Output<typeof LocalityBlock> | undefined;
}

export function placeOf({ zone, locality }: LocalityFields): LocalityFields['locality'] {
  return locality ?? (zone === undefined ? undefined : { zone });
}

const SelectorBlock = block(
  'selector',
  () => ({
    address: optional(Address, '`ip:port`, `ip` or a CIDR block.'),
    hostname: optional(Name, 'The host name of the endpoint.'),
    cluster: optional(Name, 'The cluster the host belongs to.'),
    priority: optional(integer('priority', 0, 127), 'The priority the host is in.'),
    zone: optional(LocalityName, 'Short for locality: {zone}.'),
    locality: optional(LocalityBlock, 'Region, zone, sub-zone; only the given parts must hold.'),
    metadata: optional(LbMetadata, 'Endpoint metadata: entries under proxy.lb, all of which must be equal.'),
  }),
  {
    doc: 'Which hosts are meant. All given parts must hold; {} is every host; a bare string is an address.',
    oneOfs: [{ name: 'place', fields: ['zone', 'locality'] }],
    hints: {
      region: 'write locality: {region: …}',
      sub_zone: 'write locality: {sub_zone: …}',
      health: 'hosts are selected by what they are, not by how they are',
      host: 'write address',
      hosts: 'write the parts of the selector here',
    },
  },
);

export const HostSelector: Schema<Selector> = either(SelectorBlock, Address).transform((value): Selector => {
  if (typeof value === 'string') return { address: value };
  const place = placeOf(value);
  return defined({ ...withoutField(value, 'zone'), locality: place && defined(place) });
});
