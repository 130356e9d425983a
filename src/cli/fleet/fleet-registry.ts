import { hostname } from 'node:os';
import { allFieldsOf, COUNT, FROM_ZERO, must, TEXT } from '../../core/arguments.js';
import { printable } from '../../core/printable.js';
import { messageOf } from '../session.js';
import { DIGEST, jsonOf, PREFIX, received } from './received.js';
import type { RedisLink } from './redis-link.js';

export interface FleetWorker {
  readonly version: string;
  /** Where it is: the name of the machine, and its process there. */
  readonly place: string;
  readonly threads: number;
}

export interface FleetSweep {
  readonly version: string;
  readonly place: string;
  readonly scenario: string;
  /** Of its cells. */
  readonly context: string;
}

type Members = Readonly<{ workers: FleetWorker; sweeps: FleetSweep }>;

const HEARTBEAT_MS = 2000;

/** A member without a heartbeat for so long is gone, in seconds. */
const EXPIRY_S = 15;

const THREADS = must(
  'a whole number from 1 to 1024',
  (value) => COUNT(value, '').length === 0 && Number(value) <= 1024,
);
const SHORT = must('a text of at most 300 characters', (value) => typeof value === 'string' && value.length <= 300);
type Seen<Member> = Member & { readonly seen: number };
/** What is read of them: another field is refused. */
const MEMBERS = {
  workers: allFieldsOf<Seen<FleetWorker>>({ version: SHORT, place: SHORT, threads: THREADS, seen: FROM_ZERO }),
  sweeps: allFieldsOf<Seen<FleetSweep>>({
    ...{ version: SHORT, place: SHORT, scenario: TEXT, context: DIGEST, seen: FROM_ZERO },
  }),
};

/** Who works on a Redis and who waits for results, in one hash each; times are the server's. */
export class FleetRegistry<Kind extends keyof Members> {
  private readonly key: string = `${PREFIX}:${this.kind}`;

  constructor(
    private readonly link: RedisLink,
    private readonly kind: Kind,
  ) {}

  async register(id: string, member: Members[Kind]): Promise<void> {
    await this.link.client.hset(this.key, id, JSON.stringify({ ...member, seen: await this.now() }));
  }

  async remove(id: string): Promise<void> {
    await this.link.client.hdel(this.key, id);
  }

  /** Those that are there, in the order of their places. */
  async members(): Promise<readonly Members[Kind][]> {
    const entries = Object.entries(await this.link.client.hgetall(this.key));
    if (entries.length === 0) return [];
    const now = await this.now();
    const members = entries.flatMap(([id, text]) => {
      const member = this.read(text);
      if (member === undefined) return [];
      if (now - member.seen <= EXPIRY_S) return [member];
      void this.remove(id).catch(() => undefined);
      return [];
    });
    return members.sort((a, b) => (a.place < b.place ? -1 : 1));
  }

  /** undefined: somebody else wrote it, and it counts for nothing. */
  private read(text: string): Seen<Members[Kind]> | undefined {
    try {
      const member = received(jsonOf(text), 'it', MEMBERS[this.kind]) as Seen<Members[Kind]>;
      return Object.assign(member, { place: printable(member.place), version: printable(member.version) });
    } catch (error) {
      this.link.sayOnce(`${this.key} has an entry that is left out: ${messageOf(error)}`);
      return undefined;
    }
  }

  private async now(): Promise<number> {
    return Number((await this.link.client.time())[0]);
  }
}

/** What a member does again and again, one at a time, as long as its server is there. */
export function heartbeatOf(link: RedisLink, beat: () => Promise<void>) {
  let isBusy = false;
  const now = async (): Promise<void> => {
    if (isBusy || link.client.status !== 'ready') return;
    isBusy = true;
    await beat()
      .catch((error: unknown) => link.failed(error))
      .finally(() => (isBusy = false));
  };
  const timer = setInterval(() => void now(), HEARTBEAT_MS);
  return { now, stop: () => clearInterval(timer) };
}

export const placeOfProcess = (): string => `${hostname()}:${process.pid}`;
