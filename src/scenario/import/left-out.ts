import { own } from '../../core/own.js';

/** What was removed from a message, by field; {@link lacking} has those that a proxy acts on. */
interface Removed {
  readonly left: ReadonlySet<string>;
  readonly lacking: ReadonlyMap<string, string>;
}

/** What an import left out of the files, by the names of fields. */
export class LeftOut {
  readonly ofProxy = new Set<string>();
  /** Assignments of no known cluster. */
  unasked = 0;
  private readonly clusters = new Map<string, ReadonlySet<string>>();
  private readonly assignments = new Map<string, ReadonlySet<string>>();
  private readonly effects = new Map<string, string>();

  of(kind: 'clusters' | 'assignments', name: string, { left, lacking }: Removed): void {
    this[kind].set(name, left);
    for (const [field, effect] of lacking) this.effects.set(field, effect);
  }

  add(cluster: string, field: string): void {
    this.clusters.set(cluster, new Set([...(this.clusters.get(cluster) ?? []), field]));
  }

  /** The fields left out of one cluster, in words; '' for none. */
  text(cluster: string): string {
    return listed(this.clusters.get(cluster) ?? []);
  }

  /** How many clusters each field was left out of that balances nothing, the most frequent first. */
  totals(): readonly (readonly [field: string, clusters: number])[] {
    return this.counted().filter(([field]) => !this.effects.has(field));
  }

  /** The same of fields that a proxy acts on and a simulation does not, with what the proxy does. */
  lacking(): readonly (readonly [field: string, clusters: number, effect: string])[] {
    return this.counted().flatMap(([field, clusters]) => {
      const effect = this.effects.get(field);
      return effect === undefined ? [] : [[field, clusters, effect] as const];
    });
  }

  private counted(): readonly (readonly [field: string, clusters: number])[] {
    const counts = new Map<string, number>();
    for (const fields of [...this.clusters.values(), ...this.assignments.values()]) {
      for (const field of new Set([...fields].map(words))) counts.set(field, (counts.get(field) ?? 0) + 1);
    }
    return [...counts].sort(([, one], [, other]) => other - one);
  }
}

function listed(fields: Iterable<string>): string {
  return [...new Set([...fields].map(words))].join(', ');
}

/** A common reason to look at them, for those with secrets. */
const HOLDS: Readonly<Record<string, string>> = {
  transport_socket: 'transport_socket (TLS: certificates, keys)',
  transport_socket_matches: 'transport_socket_matches (TLS: certificates, keys)',
  tls_context: 'tls_context (TLS: certificates, keys)',
};

function words(field: string): string {
  return own(HOLDS, field) ?? field.replaceAll('?', 'what is not known here');
}
