import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { expect, it } from 'vitest';
import { HOST_HEADER } from '../../src/real-proxy/answering-host.js';
import { ORCA_PATH } from '../../src/real-proxy/orca-service.js';
import { AnsweringHosts } from '../../src/real-proxy/answering-hosts.js';
import { FORMAT } from '../../src/core/document-format.js';
import { readRecording, recordingText } from '../../src/real-proxy/recording.js';
import { hasLoopbackNet } from '../../src/real-proxy/guarded-process.js';

const isNet = await hasLoopbackNet();

it.skipIf(!isNet)('gives hosts of DNS addresses of their own, and all of one port another one together', async () => {
  const named = new Set(['10.0.0.1:80', '10.0.0.2:80', '10.0.0.1:8080']);
  const hosts = await AnsweringHosts.start(new Set(['10.0.0.1:80', '10.0.0.9:80']), named);
  try {
    const port = hosts.portAt('80');
    expect([...named].map((address) => hosts.at(address))).toEqual([
      `127.1.0.1:${port}`,
      `127.1.0.2:${port}`,
      `127.1.0.1:${hosts.portAt('8080')}`,
    ]);
    expect(hosts.ipAt('10.0.0.2')).toBe('127.1.0.2');
    expect(hosts.at('10.0.0.9:80')).toMatch(/^127\.0\.0\.1:\d+$/);
    for (const address of [...named, '10.0.0.9:80']) {
      const answer = await fetch(`http://${hosts.at(address)}`);
      expect(hosts.ownOf(answer.headers.get(HOST_HEADER) ?? '')).toBe(address);
    }
    expect(hosts.at('10.9.9.9:80')).toBe('10.9.9.9:80');
  } finally {
    await hosts.stop();
  }
});

it('becomes what a host becomes: failing, silent, slow, and away for a while', async () => {
  const hosts = await AnsweringHosts.start(new Set(['10.0.0.1:80']));
  const ask = async (headers: Readonly<Record<string, string>> = { 'x-lbsim-traffic': '0' }): Promise<number> => {
    const answer = await fetch(`http://${hosts.at('10.0.0.1:80')}`, { headers, signal: AbortSignal.timeout(300) });
    return answer.status;
  };
  try {
    expect(await ask()).toBe(200);
    await hosts.become('10.0.0.1:80', { errorRate: 1, errorStatus: 418, healthCheck: 503 });
    expect([await ask(), await ask({})]).toEqual([418, 503]);
    expect(hosts.checkedMs).toHaveLength(1);
    await hosts.become('10.0.0.1:80', { down: 'hang' });
    await expect(ask()).rejects.toThrow('aborted');
    await hosts.become('10.0.0.1:80', { down: 'refuse' });
    await expect(ask()).rejects.toThrow('fetch failed');
    await hosts.become('10.0.0.1:80', { serviceTime: { kind: 'constant', value: 600_000 } });
    await expect(ask()).rejects.toThrow('aborted');
    // The connection ends when the answer would have come.
    await hosts.become('10.0.0.1:80', { serviceTime: { kind: 'constant', value: 600_000 }, closes: 'instead' });
    await expect(ask()).rejects.toThrow('aborted');
    await hosts.become('10.0.0.1:80', { closes: 'instead' });
    await expect(ask()).rejects.toThrow('fetch failed');
    await hosts.become('10.0.0.1:80', {});
    expect(await ask()).toBe(200);
  } finally {
    await hosts.stop();
  }
});

const OF_TRAFFIC = { 'x-lbsim-traffic': '0' };
const constant = (ms: number) => ({ kind: 'constant', value: ms * 1000 }) as const;

it('serves as many as it has places, the others in turn, and refuses beyond its queue', async () => {
  const hosts = await AnsweringHosts.start(new Set(['10.0.0.1:80']));
  const ended: number[] = [];
  const ask = async (work: object = {}, attempt = 1): Promise<void> => {
    const headers = { ...OF_TRAFFIC, 'x-lbsim-work': JSON.stringify(work), 'x-envoy-attempt-count': String(attempt) };
    ended.push((await fetch(`http://${hosts.at('10.0.0.1:80')}`, { headers })).status);
  };
  try {
    const busy = { serviceTime: constant(40), concurrency: 1, queueLimit: 2, errorStatus: 429 };
    await hosts.become('10.0.0.1:80', busy);
    await Promise.all([ask(), ask(), ask(), ask()]);
    expect(ended.splice(0)).toEqual([429, 200, 200, 200]);
    // A request may say how much work it is, and what its attempts get.
    const answers = [{ serviceUs: 0, status: 500 }, { status: 201 }];
    await hosts.become('10.0.0.1:80', { serviceTime: constant(30) });
    await Promise.all([ask({ size: 8 }), ask({ answers }, 2), ask({ answers })]);
    expect(ended).toEqual([500, 201, 200]);
  } finally {
    await hosts.stop();
  }
});

it('speaks HTTP/2 where it is to, and HTTP/1 to health checks', async () => {
  const places = new Set(['10.0.0.1:80']);
  const hosts = await AnsweringHosts.start(places, undefined, undefined, undefined, places);
  const ask = (session: ClientHttp2Session) =>
    new Promise<number | undefined>((resolve, reject) => {
      const stream = session.request(OF_TRAFFIC).resume();
      stream.once('response', ({ ':status': status }) => resolve(status));
      stream.once('error', reject).once('close', () => resolve(undefined));
    });
  const url = `http://${hosts.at('10.0.0.1:80')}`;
  const session = connect(url);
  try {
    expect(await ask(session)).toBe(200);
    expect((await fetch(url)).status).toBe(200);
    await hosts.become('10.0.0.1:80', { closes: 'announced', errorRate: 1, errorStatus: 418 });
    expect(await Promise.all([ask(session), once(session, 'goaway').then(() => 'goaway')])).toEqual([418, 'goaway']);
    const another = connect(url).on('error', () => undefined);
    await hosts.become('10.0.0.1:80', { closes: 'refused' });
    await expect(ask(another)).rejects.toThrow('NGHTTP2_REFUSED_STREAM');
    await hosts.become('10.0.0.1:80', { closes: 'instead' });
    const [answer] = await Promise.all([ask(another), once(another, 'close')]);
    expect(answer).toBeUndefined();
  } finally {
    session.destroy();
    await hosts.stop();
  }
});

it('answers gRPC health checks in their own form', async () => {
  const places = new Set(['10.0.0.1:80']);
  const hosts = await AnsweringHosts.start(places, undefined, undefined, undefined, places);
  const session = connect(`http://${hosts.at('10.0.0.1:80')}`);
  const check = async () => {
    const stream = session.request({ ':method': 'POST', 'content-type': 'application/grpc' }, { endStream: true });
    let trailer: unknown;
    stream.once('trailers', (found: Record<string, unknown>) => (trailer = found['grpc-status']));
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
    return { status: headers[':status'], body: Buffer.concat(await stream.toArray()).toString('hex'), trailer };
  };
  try {
    // A frame that is not compressed, of two bytes: field 1 is SERVING.
    expect(await check()).toEqual({ status: 200, body: '00000000020801', trailer: '0' });
    await hosts.become('10.0.0.1:80', { healthCheck: 503 });
    expect(await check()).toEqual({ status: 503, body: '' });
  } finally {
    session.destroy();
    await hosts.stop();
  }
});

it('reports its load out of band, as often as it is asked to', async () => {
  const places = new Set(['10.0.0.1:80']);
  const hosts = await AnsweringHosts.start(places, undefined, undefined, undefined, places);
  const session = connect(`http://${hosts.at('10.0.0.1:80')}`);
  const asked = () => {
    const stream = session.request({ ':method': 'POST', ':path': ORCA_PATH });
    // A frame of nine bytes: a duration of no seconds and 20,000,000 ns.
    stream.end(Buffer.from('00000000090a0708001080dac409', 'hex'));
    return stream;
  };
  const report = { memUtilization: 0, applicationUtilization: 0.5, rps: 9, eps: 0, utilization: {} };
  try {
    await hosts.become('10.0.0.1:80', {
      loadReport: { ...report, cpuUtilization: 0.25, namedMetrics: { queue: 3 } },
    });
    const stream = asked();
    const [first] = (await once(stream, 'data')) as [Buffer];
    expect(first.length).toBe(5 + first.readUInt32BE(1));
    // CPU is field 1, and of the named metrics, field 8, each is a message of a text and a number.
    expect([first[5], first.readDoubleLE(6)]).toEqual([0x09, 0.25]);
    expect(first.toString('latin1')).toContain('\x42\x10\n\x05queue\x11');
    const loadReport = { ...report, cpuUtilization: 0.75, namedMetrics: {} };
    await hosts.become('10.0.0.1:80', { loadReport, down: 'hang' });
    await hosts.become('10.0.0.1:80', { loadReport });
    const next = async () => ((await once(stream, 'data')) as [Buffer])[0].readDoubleLE(6);
    while ((await next()) !== 0.75) continue;
    stream.close();
    await hosts.become('10.0.0.1:80', {});
    const [trailers] = (await once(asked().resume(), 'trailers')) as [Record<string, unknown>];
    expect(trailers['grpc-status']).toBe('12');
  } finally {
    session.destroy();
    await hosts.stop();
  }
});

it('is recorded that a cluster was there, though it had no host', () => {
  const counted = new Map([
    ['cluster.a.membership_total', 0],
    ['cluster.a.upstream_rq_total', 0],
  ]);
  const life = { requests: [], stats: counted, lastsMs: 1, agedUs: 0, endUs: 1, lateMs: 0 };
  const [places, ips] = [{}, {}];
  const about = { format: FORMAT, proxy_version: '1.40.0', live: false, proxies: [] } as const;
  const recording = { ...about, places, ips, played: life };
  expect(readRecording(recordingText(recording)).played?.stats).toEqual(new Map([['cluster.a.membership_total', 0]]));
});
