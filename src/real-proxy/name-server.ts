import { attempt } from '../core/values.js';
import { once } from 'node:events';
import { createSocket, type Socket } from 'node:dgram';
import { AUTHORITATIVE_ANSWER, decode, encode, type Packet, type Question } from 'dns-packet';
import { canonicalName, type DnsAnswer } from '../settings/world.js';
import { loopbackFailure } from './guarded-process.js';

/** Codes of answers, RFC 1035, section 4.1.1. */
const SERVER_FAILURE = 2;
const NO_SUCH_NAME = 3;

/** A DNS server on loopback, over UDP, that answers as a scenario says. It knows IPv4 addresses. */
export class NameServer {
  private answers: ReadonlyMap<string, DnsAnswer> = new Map();
  private readonly asked = new Set<string>();

  private constructor(private readonly socket: Socket) {
    socket.on('message', (message, { port, address }) => {
      const answer = this.answerTo(message);
      if (answer !== undefined) socket.send(answer, port, address);
    });
  }

  /** @throws NoLoopback */
  static async start(): Promise<NameServer> {
    const socket = createSocket('udp4');
    const server = new NameServer(socket);
    socket.bind(0, '127.0.0.1');
    try {
      await once(socket, 'listening');
    } catch (error) {
      throw loopbackFailure(error);
    }
    return server;
  }

  get port(): number {
    return this.socket.address().port;
  }

  replace(answers: ReadonlyMap<string, DnsAnswer>): void {
    this.answers = new Map([...answers].map(([name, answer]) => [canonicalName(name), answer]));
    this.asked.clear();
  }

  /** Whether somebody asked for this name since its answers were replaced. */
  wasAsked(name: string): boolean {
    return this.asked.has(canonicalName(name));
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.socket.close(resolve));
  }

  private answerTo(message: Buffer): Buffer | undefined {
    // undefined: it is no query.
    const query = attempt(() => decode(message), undefined);
    const [question] = query?.questions ?? [];
    if (query?.id === undefined || question === undefined) return undefined;
    this.asked.add(canonicalName(question.name));
    return encode({ ...this.reply(question), id: query.id, type: 'response', questions: [question] });
  }

  private reply({ name, type }: Question): Packet {
    const answer = this.answers.get(canonicalName(name));
    if (answer === undefined) return { flags: AUTHORITATIVE_ANSWER | NO_SUCH_NAME };
    if ('fail' in answer) return { flags: SERVER_FAILURE };
    // Nobody keeps an answer: the next one may be another.
    const answers = answer.addresses.map((data) => ({ name, type: 'A' as const, ttl: 0, data }));
    return { flags: AUTHORITATIVE_ANSWER, answers: type === 'A' ? answers : [] };
  }
}
