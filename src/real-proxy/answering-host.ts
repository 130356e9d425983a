import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { constants, createServer as createHttp2Server, type Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { createServer as createPlainServer, type Server, type Socket } from 'node:net';
import { MICROS_PER_MILLI, type Micros } from '../core/units.js';
import { KEY_HEADER } from '../hostset/request-hash.js';
import { durationSampler, whole } from '../random/samplers.js';
import { RandomStreams } from '../random/streams.js';
import { type Behavior, type ConnectionEnd, IDEAL_BEHAVIOR } from '../settings/behavior.js';
import type { ScriptedAnswer } from '../settings/world.js';
import { ORCA_PATH, periodOf, reportFrame } from './orca-service.js';
import { TCP_HEADER, TRAFFIC_HEADER } from './proxy-process.js';

/** Says where a request was answered, `ip:port`. */
export const HOST_HEADER = 'x-lbsim-host';
/** Of a request: times the work of a plain one, and what its attempts get, one after the other. */
export const WORK_HEADER = 'x-lbsim-work';
export type Work = Readonly<{ size?: number | undefined; answers?: readonly ScriptedAnswer[] | undefined }>;

/** A part of what happens, as a host's behaviour has it. */
const happens = (rate: number): boolean => Math.random() < rate;

const DEGRADED = { 'x-envoy-degraded': 'true' };

const GRPC = 'application/grpc';
const UNIMPLEMENTED = '12';
/** `grpc.health.v1.HealthCheckResponse {status: SERVING}`, behind the length of its message. */
const SERVING = Uint8Array.of(0, 0, 0, 0, 2, 8, 1);

interface Asked {
  readonly request: IncomingMessage | Http2ServerRequest;
  readonly response: ServerResponse | Http2ServerResponse;
  /** Where: `ip:port`, and the port of the other end. */
  readonly place: string;
  readonly from: number | undefined;
  /** How the connection ends. */
  readonly end: ConnectionEnd;
  /** Until an answer is back. */
  readonly backUs: Micros;
}

/** One server that stands for a host: it does as its behaviour says. */
export class AnsweringHost {
  readonly server: Server;
  private now: Behavior = IDEAL_BEHAVIOR;
  private inService = 0;
  private waiting: Asked[] = [];
  /** What was asked in an earlier one has no answer: it went down. */
  private life = 0;
  private readonly draws = new RandomStreams(String(Math.random())).stream('host');
  private drawServiceUs = durationSampler(this.now.serviceTime, () => this.draws);
  private drawWireUs = durationSampler(this.now.networkLatency, () => this.draws);
  private readonly sockets = new Set<Socket>();

  /**
   * @param speaksHttp2 beside HTTP/1.
   * @param onCheck     it is asked how it is.
   */
  constructor(
    speaksHttp2: boolean,
    private readonly onCheck: () => void,
  ) {
    const http1 = createServer((request, response) => this.ask(request, response));
    http1.keepAliveTimeout = 0;
    this.server = speaksHttp2 ? this.withHttp2(http1) : http1;
    this.server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
    });
  }

  become(behavior: Partial<Behavior>): void {
    const before = this.now;
    this.now = { ...IDEAL_BEHAVIOR, ...behavior };
    const { serviceTime, networkLatency, down } = this.now;
    // A cache keeps what it has.
    if (serviceTime !== before.serviceTime) this.drawServiceUs = durationSampler(serviceTime, () => this.draws);
    if (networkLatency !== before.networkLatency) this.drawWireUs = durationSampler(networkLatency, () => this.draws);
    if (down === 'none') this.serveNext(performance.now());
    else [this.life, this.inService, this.waiting] = [this.life + 1, 0, []];
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  /** The first bytes of a connection say what it is. */
  private withHttp2(http1: Server): Server {
    const http2 = createHttp2Server((request, response) => this.ask(request, response));
    http2.on('session', (session) => session.on('error', () => undefined));
    return createPlainServer((socket) => {
      socket.once('data', (data: Buffer) => {
        socket.pause();
        socket.unshift(data);
        const isHttp2 = data.toString('latin1').startsWith('PRI');
        (isHttp2 ? http2 : http1).emit('connection', socket);
        // The other one takes the socket from below.
        if (!isHttp2) socket.resume();
      });
    });
  }

  private ask(request: Asked['request'], response: Asked['response']): void {
    if (request.url === ORCA_PATH && response instanceof Http2ServerResponse) {
      request.once('data', (asked: Uint8Array) => this.reportEach(periodOf(asked), response));
      return;
    }
    request.resume();
    const { localAddress = '', localPort = 0, remotePort: from } = request.socket;
    const place = `${localAddress}:${localPort}`;
    if (request.headers[TCP_HEADER] !== undefined) {
      // To a connection over TCP it does nothing but to be there.
      response.writeHead(200, { [HOST_HEADER]: place, 'content-length': '0' });
      response.end();
      return;
    }
    const { closes, closeRate, down, healthCheck } = this.now;
    const isCheck = request.headers[TRAFFIC_HEADER] === undefined;
    if (isCheck) this.onCheck();
    if (down === 'hang' || (isCheck && healthCheck === 'hang')) return;
    const wireUs = this.drawWireUs();
    const backUs = isCheck ? wireUs : wireUs - Math.floor(wireUs / 2);
    const end = !isCheck && happens(closeRate) ? closes : 'never';
    const asked: Asked = { request, response, place, from, end, backUs };
    if (isCheck && healthCheck === 'refuse') this.hangUp(asked);
    else if (isCheck)
      this.answer(
        asked,
        typeof healthCheck === 'number' ? healthCheck : 200,
        healthCheck === 'degraded' ? DEGRADED : {},
      );
    else this.after(wireUs - backUs, () => this.serve(asked));
  }

  /** Tells its load by itself, from now on until it has none to tell; where it hangs, it goes on when it does no more. */
  private reportEach(periodUs: Micros, response: Http2ServerResponse): void {
    const report = (): void => {
      const { loadReport, down } = this.now;
      if (down === 'hang') return;
      if (!response.headersSent) response.writeHead(200, { 'content-type': GRPC });
      if (typeof loadReport === 'object') {
        response.write(reportFrame(loadReport));
        return;
      }
      response.addTrailers({ 'grpc-status': UNIMPLEMENTED });
      response.end();
    };
    const timer = setInterval(report, periodUs / MICROS_PER_MILLI);
    response.stream.once('close', () => clearInterval(timer));
    report();
  }

  private serve(asked: Asked): void {
    const { concurrency, queueLimit, errorStatus } = this.now;
    const { response } = asked;
    if (asked.end === 'early' && response instanceof Http2ServerResponse) response.stream.session?.goaway();
    if (this.inService < concurrency) this.begin(asked, performance.now());
    else if (this.waiting.length < queueLimit) this.waiting.push(asked);
    else this.answer(asked, errorStatus);
  }

  /** @param atMs by the clock: where one before it should have ended, so that timers that come late do not add up. */
  private begin(asked: Asked, atMs: number): void {
    const { headers } = asked.request;
    const { size = 1, answers = [] } = JSON.parse(String(headers[WORK_HEADER] ?? '{}')) as Work;
    const script = answers[Number(headers['x-envoy-attempt-count'] ?? 1) - 1] ?? answers.at(-1);
    const key = headers[KEY_HEADER];
    const drawnUs = whole(this.drawServiceUs(typeof key === 'string' ? key : undefined) * size);
    const { errorRate, errorStatus } = this.now;
    const status = script?.status ?? (happens(errorRate) ? errorStatus : 200);
    const us = script?.serviceUs ?? drawnUs;
    if (us === 0) {
      this.answer(asked, status);
      return;
    }
    this.inService++;
    const endMs = atMs + us / MICROS_PER_MILLI;
    this.after(Math.max(1, (endMs - performance.now()) * MICROS_PER_MILLI), () => {
      this.inService--;
      this.answer(asked, status);
      this.serveNext(endMs);
    });
  }

  private serveNext(atMs: number): void {
    while (this.inService < this.now.concurrency) {
      const next = this.waiting.shift();
      if (next === undefined) return;
      this.begin(next, atMs);
    }
  }

  /** @param headers undefined: those of its answers to requests. */
  private answer(asked: Asked, status: number, headers?: Headers): void {
    this.after(asked.backUs, () => {
      const { request, response, end, place } = asked;
      const stream = response instanceof Http2ServerResponse ? response.stream : undefined;
      if (end === 'refused' && stream !== undefined) stream.close(constants.NGHTTP2_REFUSED_STREAM);
      else if (end === 'instead' || end === 'refused') this.hangUp(asked);
      else {
        const closes = stream === undefined ? end : 'never';
        const own = headers ?? answerOf({ ...this.now, closes }, status).headers;
        const serves = status === 200 && headers !== undefined && request.headers['content-type'] === GRPC;
        if (serves && response instanceof Http2ServerResponse) response.addTrailers({ 'grpc-status': '0' });
        const content = serves ? { 'content-type': GRPC } : { 'content-length': '0' };
        response.writeHead(status, { ...own, [HOST_HEADER]: place, ...content });
        // Behind the answer.
        const { session } = stream ?? {};
        if (end === 'announced') stream?.once('close', () => session?.goaway());
        if (end === 'silent') (stream ?? response).once('close', () => this.hangUp(asked));
        response.end(serves ? SERVING : '');
      }
    });
  }

  private hangUp({ from }: Asked): void {
    for (const socket of this.sockets) if (socket.remotePort === from) socket.destroy();
  }

  /** Unless it goes down before. */
  private after(us: Micros, act: () => void): void {
    const { life } = this;
    if (us === 0) act();
    else
      setTimeout(() => {
        if (life === this.life) act();
      }, us / MICROS_PER_MILLI);
  }
}

type Headers = Readonly<Record<string, string>>;

/** What a host answers, with its load report in the names of ORCA. @param given undefined: drawn. */
export function answerOf(behavior: Partial<Behavior> = {}, given?: number) {
  const { errorRate = 0, errorStatus = 503, errorHeaders = {}, loadReport, closes } = behavior;
  const status = given ?? (happens(errorRate) ? errorStatus : 200);
  const headers: Headers = {
    ...(closes === 'announced' && { connection: 'close' }),
    ...(status >= 400 && errorHeaders),
  };
  if (typeof loadReport !== 'object') return { status, headers };
  const message = {
    cpu_utilization: loadReport.cpuUtilization,
    mem_utilization: loadReport.memUtilization,
    application_utilization: loadReport.applicationUtilization,
    rps_fractional: loadReport.rps,
    eps: loadReport.eps,
    named_metrics: loadReport.namedMetrics,
    utilization: loadReport.utilization,
  };
  return { status, headers: { ...headers, 'endpoint-load-metrics': `JSON ${JSON.stringify(message)}` } };
}
