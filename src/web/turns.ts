import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export const TURN_LIMITS = {
  maxConnections: 1_024,
  /** Requests of all connections that have arrived and are not being answered yet. */
  maxWaiting: 16_384,
  /** Bytes of pages that all clients together may leave unread. */
  maxUnreadPageBytes: 64 * 1024 * 1024,
};

type PendingRequest = Readonly<{ incoming: IncomingMessage; outgoing: ServerResponse }>;

interface Client {
  readonly socket: Socket;
  readonly waiting: PendingRequest[];
  answer: ServerResponse | undefined;
  answers: number;
  /** Sequence number of its arrival, its last turn or its last answer. */
  since: number;
}

/** A connection with this many waiting requests is not read until it had its answers. */
const READ_AHEAD = 16;

const BUSY = 'HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/**
 * Lets the clients of a server take turns, so that none of them can starve the others: one new connection at a time is
 * read, one request is answered, and the next one of a connection only after it has read the answer before. Clients
 * without an answer so far come first, the newest of them first: however many were there before, a new one waits for one
 * page at most. The others follow by the time since their last answer. Beyond a limit an old client is dropped, not the
 * new one: see {@link expendable} for connections; of clients that do not read, the one with the oldest page; of clients
 * that send requests without waiting for answers, the one with most requests.
 */
export class Turns {
  private readonly clients = new Map<Socket, Client>();
  /** New connections that were not read yet; the newest is last. */
  private readonly unread: Client[] = [];
  private waiting = 0;
  private moment = 0;
  private arrivals = 0;
  private isScheduled = false;

  /** @param answer answers a request, at once or later. */
  constructor(
    private readonly limits: Readonly<typeof TURN_LIMITS>,
    private readonly answer: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
  ) {}

  serve(server: Server): void {
    server.on('connection', (socket) => this.welcome(socket));
    server.on('request', (incoming, outgoing) => this.enqueue({ incoming, outgoing }));
  }

  /** Accepts pending connections: the event loop accepts one per iteration. Long work waits for this first. */
  async letIn(): Promise<void> {
    for (let rounds = 0; rounds < this.limits.maxConnections; rounds++) {
      const before = this.arrivals;
      await nextRound();
      if (this.arrivals === before) return;
    }
  }

  private welcome(socket: Socket): void {
    this.arrivals++;
    if (this.clients.size >= this.limits.maxConnections) {
      const found = expendable(this.clients.values());
      if (found === undefined) {
        socket.on('error', () => socket.destroy());
        socket.write(BUSY);
        socket.destroySoon();
        return;
      }
      this.drop(found);
    }
    const client = { socket, waiting: [], answer: undefined, answers: 0, since: ++this.moment };
    this.clients.set(socket, client);
    socket.on('close', () => this.forget(client));
    // It may have sent thousands of requests, all read at once. The server starts reading at the end of this tick.
    process.nextTick(() => socket.pause());
    this.unread.push(client);
    this.schedule();
  }

  private enqueue(request: PendingRequest): void {
    const client = this.clients.get(request.incoming.socket);
    if (client === undefined) return;
    client.waiting.push(request);
    this.waiting++;
    this.arrivals++;
    if (client.waiting.length === READ_AHEAD) client.socket.pause();
    if (this.waiting > this.limits.maxWaiting)
      this.drop(best(this.clients.values(), (one, other) => one.waiting.length > other.waiting.length));
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    void this.round();
  }

  private async round(): Promise<void> {
    await this.letIn();
    const newest = this.unread.pop();
    if (newest !== undefined) {
      newest.socket.resume();
      await nextRound();
    }
    this.isScheduled = false;
    this.turn();
    if (this.unread.length > 0) this.schedule();
  }

  private turn(): void {
    const client = best(
      [...this.clients.values()].filter((one) => one.answer === undefined && one.waiting.length > 0),
      isBefore,
    );
    const request = client?.waiting.shift();
    if (client === undefined || request === undefined) return;
    this.waiting--;
    if (client.waiting.length === READ_AHEAD - 1) client.socket.resume();
    client.answer = request.outgoing;
    client.since = ++this.moment;
    request.outgoing.on('close', () => {
      client.answer = undefined;
      client.answers++;
      client.since = ++this.moment;
      this.schedule();
    });
    this.makeRoom();
    this.answer(request.incoming, request.outgoing);
    this.schedule();
  }

  /** Drops clients that do not read their pages. */
  private makeRoom(): void {
    for (;;) {
      const unread = [...this.clients.values()].filter(leavesUnread);
      const bytes = unread.reduce((sum, { socket }) => sum + socket.writableLength, 0);
      if (bytes <= this.limits.maxUnreadPageBytes) return;
      this.drop(best(unread, isOlder));
    }
  }

  private drop(client: Client | undefined): void {
    if (client === undefined) return;
    this.forget(client);
    client.socket.destroy();
  }

  private forget(client: Client): void {
    if (this.clients.delete(client.socket)) this.waiting -= client.waiting.length;
  }
}

/** Turns of the event loop, after which everything received so far has been handled. */
const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * The connection to drop for a new one: the oldest of those that never sent a request, or send it very slowly; else of
 * those without a current request; else of those that wait for their turn; else of those that do not read. undefined: all
 * are event streams.
 */
function expendable(clients: Iterable<Client>): Client | undefined {
  const rank = (client: Client): number => {
    if (client.answer !== undefined) return 3;
    if (client.waiting.length > 0) return 2;
    return client.answers > 0 ? 1 : 0;
  };
  const all = [...clients].filter((client) => client.answer === undefined || leavesUnread(client));
  return best(all, (one, other) => rank(one) < rank(other) || (rank(one) === rank(other) && isOlder(one, other)));
}

function isBefore(one: Client, other: Client): boolean {
  const [isNew, isOtherNew] = [one.answers === 0, other.answers === 0];
  return isNew === isOtherNew ? (isNew ? isOlder(other, one) : isOlder(one, other)) : isNew;
}

const isOlder = (one: Client, other: Client): boolean => one.since < other.since;

/** Its page is made and not all of it has been read; event streams never end. */
const leavesUnread = ({ answer }: Client): boolean => answer?.writableEnded === true;

function best(clients: Iterable<Client>, isBetter: (one: Client, other: Client) => boolean): Client | undefined {
  const [first, ...others] = clients;
  return first && others.reduce((found, client) => (isBetter(client, found) ? client : found), first);
}
