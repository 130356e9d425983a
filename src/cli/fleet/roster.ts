import { hostname } from 'node:os';
import type { Redis } from 'ioredis';

/** A worker, as it tells of itself. */
export interface FleetWorker {
  readonly version: string;
  /** Where it is: the name of the machine, and its process there. */
  readonly place: string;
  readonly threads: number;
  /** Cells that it has worked out. */
  readonly done: number;
}

/** A sweep, as it tells of itself. */
export interface FleetSweep {
  readonly version: string;
  readonly place: string;
  readonly scenario: string;
  /** Of those that it has begun with. */
  readonly done: number;
  readonly cells: number;
}

interface Members {
  readonly workers: FleetWorker;
  readonly sweeps: FleetSweep;
}

/** How often a member tells of itself. */
export const BEAT_MS = 2000;

/** A member that has not been heard of for so long is gone, in seconds. */
const GONE_S = 15;

/** Who works on a Redis and who waits for results, in one hash each; times are the server's. */
export class Roster<Kind extends keyof Members> {
  constructor(
    private readonly client: Redis,
    private readonly kind: Kind,
  ) {}

  async tell(id: string, member: Members[Kind]): Promise<void> {
    await this.client.hset(`lbsim:${this.kind}`, id, JSON.stringify({ ...member, seen: await this.now() }));
  }

  async leave(id: string): Promise<void> {
    await this.client.hdel(`lbsim:${this.kind}`, id);
  }

  /** Those that are there, in the order of their places. */
  async all(): Promise<readonly Members[Kind][]> {
    const entries = Object.entries(await this.client.hgetall(`lbsim:${this.kind}`));
    if (entries.length === 0) return [];
    const now = await this.now();
    const members = entries.flatMap(([id, text]) => {
      const member = JSON.parse(text) as Members[Kind] & { readonly seen: number };
      if (now - member.seen <= GONE_S) return [member];
      void this.leave(id).catch(() => undefined);
      return [];
    });
    return members.sort((a, b) => (a.place < b.place ? -1 : 1));
  }

  private async now(): Promise<number> {
    return Number((await this.client.time())[0]);
  }
}

/** Where this process is, for people. */
export function placeOfProcess(): string {
  return `${hostname()}:${process.pid}`;
}
