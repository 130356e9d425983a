import { formatIp, parseIp } from '../../core/ip.js';
import type { Micros } from '../../core/units.js';
import type { LookupFamily } from '../../settings/cluster-settings.js';
import { canonicalName, type DnsAnswer } from '../../settings/world.js';

/** The answer to a query; addresses are canonical and without duplicates. */
export type Lookup =
  | { readonly kind: 'success'; readonly addresses: readonly string[]; readonly ttlUs: Micros | undefined }
  | { readonly kind: 'failure' };

/**
 * The resolver of all proxies of a run. It answers at once: the duration of a query is not simulated. A name that it
 * does not know does not exist, which is a successful, empty answer. An IP address resolves to itself.
 */
export class Resolver {
  private answers: ReadonlyMap<string, DnsAnswer> = new Map();

  constructor(answers: ReadonlyMap<string, DnsAnswer>) {
    this.replace(answers);
  }

  replace(answers: ReadonlyMap<string, DnsAnswer>): void {
    this.answers = new Map([...answers].map(([name, answer]) => [canonicalName(name), answer]));
  }

  lookup(name: string, family: LookupFamily): Lookup {
    const ip = parseIp(name);
    const answer: DnsAnswer | undefined =
      ip === undefined ? this.answers.get(canonicalName(name)) : { addresses: [formatIp(ip)], ttlUs: undefined };
    if (answer === undefined) return { kind: 'success', addresses: [], ttlUs: undefined };
    if ('fail' in answer) return { kind: 'failure' };
    return { kind: 'success', addresses: ofFamily([...new Set(answer.addresses)], family), ttlUs: answer.ttlUs };
  }
}

/** AUTO queries IPv6 first and uses IPv4 only where there is none; V4_PREFERRED the other way round. */
function ofFamily(addresses: readonly string[], family: LookupFamily): readonly string[] {
  const v6 = addresses.filter((address) => address.includes(':'));
  const v4 = addresses.filter((address) => !address.includes(':'));
  const answers: Readonly<Record<LookupFamily, readonly string[]>> = {
    AUTO: v6.length > 0 ? v6 : v4,
    V4_PREFERRED: v4.length > 0 ? v4 : v6,
    V4_ONLY: v4,
    V6_ONLY: v6,
    ALL: addresses,
  };
  return answers[family];
}
