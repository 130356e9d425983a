import { UsageError } from '../errors.js';

/** Where a Redis is, and what lets us in. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly database: number;
  readonly tls: boolean;
  readonly username?: string;
  readonly password?: string;
  /** The same as a URL that may be printed: without what lets us in. */
  readonly shown: string;
}

const PORT = 6379;
const FORM = 'redis://host:6379, redis://user:password@host:6379/0, or rediss:// for TLS';

/**
 * Reads an address. What lets us in stands in the URL, or in the environment, where no list of processes shows it.
 *
 * @param given of `--redis`; true or undefined: that of $LBSIM_REDIS_URL.
 * @throws UsageError which never repeats a password.
 */
export function redisAddress(
  given: string | true | undefined,
  env: Readonly<Record<string, string | undefined>>,
): RedisAddress {
  const inEnv = given === true || given === undefined;
  const text = inEnv ? (env['LBSIM_REDIS_URL'] ?? '') : given;
  if (text === '') throw new UsageError(`which Redis? Name it with --redis URL or in $LBSIM_REDIS_URL: ${FORM}`);
  const url = parsed(text);
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
    shown: `${url.protocol}//${url.hostname || 'localhost'}:${port}${database === 0 ? '' : `/${database}`}`,
  };
}

function parsed(text: string): URL | undefined {
  try {
    const url = new URL(text);
    return url.protocol === 'redis:' || url.protocol === 'rediss:' ? url : undefined;
  } catch {
    return undefined;
  }
}
