import { attempt } from '../core/values.js';
import { once } from 'node:events';
import { createSocket } from 'node:dgram';
import { AUTHORITATIVE_ANSWER, decode, encode, type Packet, type Question } from 'dns-packet';
import { canonicalName, type DnsAnswer } from '../settings/world.js';
import { loopbackFailure } from './guarded-process.js';

/** Codes of answers, RFC 1035, section 4.1.1. */
const SERVER_FAILURE = 2;
const NO_SUCH_NAME = 3;

export type NameServer = Awaited<ReturnType<typeof startNameServer>>;

/** A DNS server on loopback, over UDP, that answers as a scenario says. It knows IPv4 addresses. @throws NoLoopback */
export async function startNameServer() {
  let answers: ReadonlyMap<string, DnsAnswer> = new Map();
  const asked = new Set<string>();
  const reply = ({ name, type }: Question): Packet => {
    const answer = answers.get(canonicalName(name));
    if (answer === undefined) return { flags: AUTHORITATIVE_ANSWER | NO_SUCH_NAME };
    if ('fail' in answer) return { flags: SERVER_FAILURE };
    // Nobody keeps an answer: the next one may be another.
    const found = answer.addresses.map((data) => ({ name, type: 'A' as const, ttl: 0, data }));
    return { flags: AUTHORITATIVE_ANSWER, answers: type === 'A' ? found : [] };
  };
  const socket = createSocket('udp4', (message, { port, address }) => {
    // undefined: it is no query.
    const query = attempt(() => decode(message), undefined);
    const [question] = query?.questions ?? [];
    if (query?.id === undefined || question === undefined) return;
    asked.add(canonicalName(question.name));
    const answer = { ...reply(question), id: query.id, type: 'response' as const, questions: [question] };
    socket.send(encode(answer), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening').catch((error: unknown) => {
    throw loopbackFailure(error);
  });
  return {
    port: socket.address().port,
    replace: (next: ReadonlyMap<string, DnsAnswer>): void => {
      answers = new Map([...next].map(([name, answer]) => [canonicalName(name), answer]));
      asked.clear();
    },
    /** Whether somebody asked for this name since its answers were replaced. */
    wasAsked: (name: string) => asked.has(canonicalName(name)),
    stop: () => new Promise<void>((resolve) => socket.close(resolve)),
  };
}
