import { either, optional, type Output, type Schema } from '../../config/reader.js';
import { block } from './block.js';
import { canonicalAddress } from '../selector.js';
import { defined, withoutField } from '../../core/values.js';
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
export const LocalityBlock = block('locality', () => ({
  region: optional(LocalityName),
  zone: optional(LocalityName),
  sub_zone: optional(LocalityName),
}));

/** `zone` is short for a locality. */
export interface LocalityFields {
  readonly zone?: string | undefined;
  readonly locality?: Output<typeof LocalityBlock> | undefined;
}

export const placeOf = ({ zone, locality }: LocalityFields): LocalityFields['locality'] =>
  locality ?? (zone === undefined ? undefined : { zone });

const SelectorBlock = block('selector', () => ({
  address: optional(Address),
  hostname: optional(Name),
  cluster: optional(Name),
  priority: optional(integer('priority', 0, 127)),
  zone: optional(LocalityName),
  locality: optional(LocalityBlock),
  metadata: optional(LbMetadata),
}));

export const HostSelector: Schema<Selector> = either(SelectorBlock, Address).transform((value): Selector => {
  if (typeof value === 'string') return { address: value };
  const place = placeOf(value);
  return defined({ ...withoutField(value, 'zone'), locality: place && defined(place) });
});
