import { attempt } from '../../core/values.js';
import type { Redis } from 'ioredis';
import { printable } from '../../core/printable.js';
import { FleetError, type Io, messageOf, type Session, systemReason, UsageError } from '../session.js';
import { REDIS_ERRORS } from './generated/redis-errors.js';

export type RedisAddress = Readonly<ReturnType<typeof redisAddress>>;

const PORT = 6379;
const FORM = 'redis://host:6379, redis://user:password@host:6379/0, or rediss:// for TLS';

/**
 * Reads an address. What lets us in stands in the URL, or in the environment, where no list of processes shows it.
 * @param given of `--redis`; true or undefined: that of $LBSIM_REDIS_URL.
 * @throws UsageError which never repeats a password.
 */
export function redisAddress(given: string | true | undefined, env: Io['env']) {
  const inEnv = given === true || given === undefined;
  const text = inEnv ? (env['LBSIM_REDIS_URL'] ?? '') : given;
  if (text === '') throw new UsageError(`which Redis? Name it with --redis URL or in $LBSIM_REDIS_URL: ${FORM}`);
  const parsed = attempt(() => new URL(text), undefined);
  const url = parsed?.protocol === 'redis:' || parsed?.protocol === 'rediss:' ? parsed : undefined;
  const database = url === undefined ? NaN : Number(url.pathname.replace(/^\//, '') || '0');
  if (url === undefined || !Number.isInteger(database)) {
    const written = inEnv || text.includes('@') ? '' : ` ${text}`;
    throw new UsageError(`${inEnv ? '$LBSIM_REDIS_URL' : `--redis${written}`} is no address of a Redis: write ${FORM}`);
  }
  const tls = url.protocol === 'rediss:';
  const host = url.hostname.replace(/^\[|\]$/g, '') || 'localhost';
  const port = url.port === '' ? PORT : Number(url.port);
  const username = decodeURIComponent(url.username) || env['LBSIM_REDIS_USERNAME'];
  const password = decodeURIComponent(url.password) || env['LBSIM_REDIS_PASSWORD'];
  return {
    ...{ host, port, database, tls },
    ...(username !== undefined && username !== '' && { username }),
    ...(password !== undefined && password !== '' && { password }),
    /** The same as a URL that may be printed: without what lets us in. */
    shown: `${url.protocol}//${url.hostname || 'localhost'}:${port}${database === 0 ? '' : `/${database}`}`,
  };
}

/** BullMQ's scripts want no less. */
const OLDEST = '6.2.0';

/** How often we check whether the wait has been too long. */
const LOOK_MS = 200;

/** Between two attempts to reach a server that is away or full, in ms. */
export const RETRY_MS = 500;

type Trouble = 'away' | 'full';

/**
 * A connection to a Redis, which may go away or fill up for a while: commands wait until it is back, and those who wait get an error once it
 * has lasted too long.
 */
export class RedisLink {
  private readonly troubles = new Map<Trouble, { readonly sinceMs: number; readonly words: string }>();
  private readonly timer: NodeJS.Timeout;
  private readonly said = new Set<string>();
  private isClosed = false;
  private giveUp: (error: FleetError) => void = () => undefined;
  /** Rejects once the server has been in trouble for too long. */
  readonly lost = new Promise<never>((_, reject) => (this.giveUp = reject));

  private constructor(
    readonly client: Redis,
    readonly address: RedisAddress,
    private readonly patienceMs: number,
    private readonly session: Session,
  ) {
    // Whoever waits for it has a handler of their own.
    this.lost.catch(() => undefined);
    client.on('error', (error: unknown) => this.failed(error));
    client.on('close', () => {
      if (!this.isClosed) this.trouble('away', 'the connection was closed');
    });
    client.on('ready', () => this.fine('away'));
    this.timer = setInterval(() => this.look(), LOOK_MS);
  }

  /** @throws FleetError where no Redis that we can use answers there. */
  static async open(address: RedisAddress, patienceMs: number, session: Session): Promise<RedisLink> {
    const { Redis } = await import('ioredis');
    const { host, port, database: db, tls, username, password } = address;
    let wasThere = false;
    const client = new Redis({
      ...{ host, port, db },
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      ...(tls && { tls: { servername: /^[\d.]+$|:/.test(host) ? '' : host } }),
      lazyConnect: true,
      // Commands wait for the server, however long it takes: `lost` ends that.
      maxRetriesPerRequest: null,
      retryStrategy: () => (wasThere ? RETRY_MS : null),
    });
    let last: unknown;
    const keep = (error: unknown): void => {
      last = error;
    };
    client.on('error', keep);
    try {
      await client.connect();
      const version = /^redis_version:(\S+)/m.exec(await client.info('server'))?.[1] ?? OLDEST;
      if (version.localeCompare(OLDEST, 'en', { numeric: true }) < 0)
        throw new FleetError(`${address.shown} is a Redis ${version}: it takes ${OLDEST} or later`);
      wasThere = true;
    } catch (error) {
      client.disconnect();
      if (error instanceof FleetError) throw error;
      throw new FleetError(`${address.shown} cannot be used: ${redisReason(last ?? error)}`);
    }
    client.off('error', keep);
    const link = new RedisLink(client, address, patienceMs, session);
    await link.warnOfEviction();
    return link;
  }

  /** An error of the server or of the way to it: it is in trouble, from now on. */
  failed(error: unknown): void {
    if (!this.isClosed) this.trouble(isFull(error) ? 'full' : 'away', redisReason(error));
  }

  fine(trouble: Trouble): void {
    if (this.troubles.delete(trouble)) this.say(`${this.address.shown} is back`);
  }

  close(): void {
    this.isClosed = true;
    clearInterval(this.timer);
    this.client.disconnect();
  }

  private trouble(trouble: Trouble, words: string): void {
    if (this.troubles.has(trouble)) return;
    this.troubles.set(trouble, { sinceMs: this.session.io.monotonicMs(), words });
    this.say(`${this.address.shown}: ${words}; waiting for it`);
  }

  private look(): void {
    const now = this.session.io.monotonicMs();
    for (const { sinceMs, words } of this.troubles.values()) {
      if (now - sinceMs < this.patienceMs) continue;
      clearInterval(this.timer);
      this.giveUp(new FleetError(`${this.address.shown} was of no use for ${this.patienceMs / 1000} s: ${words}`));
      return;
    }
  }

  sayOnce(words: string): void {
    if (this.said.has(words)) return;
    this.said.add(words);
    this.say(words);
  }

  private say(words: string): void {
    void this.session.err.write(`lbsim: ${printable(words)}\n`).catch(() => undefined);
  }

  private async warnOfEviction(): Promise<void> {
    const policy = /^maxmemory_policy:(\S+)/m.exec(await this.client.info('memory'))?.[1] ?? 'noeviction';
    if (policy === 'noeviction') return;
    this.say(
      `${this.address.shown} drops keys when it is full (maxmemory-policy ${policy}): noeviction wastes no work`,
    );
  }
}

/** Commands that write fail because there is no room. */
const isFull = (error: unknown): boolean => new RegExp(REDIS_ERRORS.full[0]).test(messageOf(error));

/** Why a Redis cannot be used, in words. */
function redisReason(error: unknown): string {
  const message = messageOf(error);
  const [, known] = Object.values(REDIS_ERRORS).find(([pattern]) => new RegExp(pattern).test(message)) ?? [];
  return systemReason(error, 'redis') ?? known ?? message.split('\n')[0] ?? message;
}
