import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Observation } from '../../src/analysis/observe/observe.js';
import { unpackReport } from '../../src/site/report.js';
import { Folder } from './files.js';
import { lbsim } from './harness.js';

const root = join(import.meta.dirname, '../..');
const folder = new Folder();
afterAll(() => folder.remove());

const HOSTS = ['10.0.0.1:80', '10.0.0.2:80', '10.0.0.3:80', '10.0.0.4:80'];
function scenarioOf(policy: string): string {
  return `
clusters: [{ name: web, lb_policy: ${policy} }]
endpoints: { web: [${HOSTS.map((host) => `"${host}"`).join(', ')}] }
workloads: [{ cluster: web, arrivals: 100/s, stop: 10s }]
`;
}
const small = folder.file('small.yaml', scenarioOf('RANDOM'));

/** Seen beside four hosts of equal shares. */
async function observed(
  name: string,
  text: string | readonly string[],
  ...more: readonly string[]
): Promise<Observation> {
  const texts = typeof text === 'string' ? [text] : text;
  const files = texts.map((one, index) => folder.file(`${index}-${name}`, one));
  const { stdout, stderr } = await lbsim(['observe', small, ...files, '--json', ...more]);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Observation;
}

/** What each of the four hosts is said to have got. */
function countsIn({ clusters }: Observation): readonly number[] {
  return HOSTS.map((host) => clusters['web']?.parts.find(({ name }) => name === host)?.requests ?? -1);
}

const EVEN = [250, 251, 249, 250];

function countsText(counts: readonly number[]): string {
  return HOSTS.map((host, index) => `${host} ${counts[index] ?? 0}`).join('\n');
}

describe.each(['docs/observe.md'])('%s', (page) => {
  const blocks = [...readFileSync(join(root, page), 'utf8').matchAll(/```console\n\$ lbsim (.*)\n([^`]*)```/g)];
  it.each(blocks.map(([, call = '', output = '']) => [call, output] as const))('%s', async (call, output) => {
    const { stdout } = await lbsim(call.split(' ').map((word) => (word.startsWith('docs/') ? join(root, word) : word)));
    expect(stdout.replaceAll(`${root}/`, '').trimEnd()).toBe(output.trimEnd());
  });
});

describe('plain counts', () => {
  it.each([
    ['with a heading', `host,requests\n${HOSTS.map((host, index) => `${host},${EVEN[index]}`).join('\n')}`],
    [
      'with columns in another order',
      `requests;host\n${HOSTS.map((host, index) => `${EVEN[index]};${host}`).join('\n')}`,
    ],
    ['host count', HOSTS.map((host, index) => `${host} ${EVEN[index]}`).join('\n')],
    ['count host, of uniq -c', HOSTS.map((host, index) => `    ${EVEN[index]} ${host}`).join('\n')],
    ['without ports', HOSTS.map((host, index) => `${host.replace(':80', '')} ${EVEN[index]}`).join('\n')],
    ['with a cluster', HOSTS.map((host, index) => `web,${host},${EVEN[index]}`).join('\n')],
  ])('%s', async (_, text) => {
    const found = await observed('counts.csv', text);
    expect(countsIn(found)).toEqual(EVEN);
    expect(found.verdict).toBe('as_configured');
  });

  it('too few do not tell', async () => {
    const file = folder.file('few.csv', HOSTS.map((host) => `${host} 3`).join('\n'));
    const { code, stdout } = await lbsim(['observe', small, file]);
    expect({ code, stdout }).toEqual({
      code: 2,
      stdout: expect.stringContaining('Too little was seen to tell') as string,
    });
  });

  it('of one of several clusters, whose name is said as it is', async () => {
    const two = folder.file(
      'two.yaml',
      'clusters: [{name: web}, {name: cart}]\nendpoints: {web: [10.0.0.1:80, 10.0.0.2:80], cart: [10.0.1.1:80, 10.0.1.2:80]}\n',
    );
    const counts = {
      'web::10.0.0.1:80': 500,
      'web::10.0.0.2:80': 500,
      'cart::10.0.1.1:80': 900,
      'cart::10.0.1.2:80': 100,
    };
    const page = Object.entries(counts).map(([host, requests]) => `${host}::rq_total::${requests}\n`);
    const { code, stdout } = await lbsim(['observe', two, folder.file('two.txt', page.join(''))]);
    expect({ code, answer: stdout.split('\n\n')[1] }).toEqual({
      code: 1,
      answer: expect.stringMatching(/^cart: 10\.0\.1\.[12]:80 gets /) as string,
    });
  });

  it('a host that is not configured is named, and an alarm', async () => {
    const found = await observed('stranger.csv', [...HOSTS, '10.0.0.9:80'].map((host) => `${host} 250`).join('\n'));
    expect(found.verdict).toBe('not_as_configured');
    expect(found.notes).toEqual(['web: 10.0.0.9:80 got requests, and is in no file of the configuration']);
  });
});

function page(counts: readonly (number | undefined)[], health = 'healthy', cluster = 'web'): string {
  const lines = HOSTS.flatMap((host, index) => {
    const own = counts[index];
    if (own === undefined) return [];
    const flags = index === 3 ? health : 'healthy';
    return [`rq_total::${own}`, 'rq_error::0', `health_flags::${flags}`, 'weight::1'].map(
      (line) => `${cluster}::${host}::${line}`,
    );
  });
  return [`${cluster}::observability_name::${cluster}`, ...lines].join('\n');
}

describe('two pages', () => {
  const before = page([1000, 2000, 3000, 4000]);

  it('of /clusters count what came between', async () => {
    const found = await observed('page.txt', [before, page([1250, 2251, 3249, 4250])]);
    expect(countsIn(found)).toEqual(EVEN);
    expect(found.notes).toEqual([]);
  });

  it('as JSON, too', async () => {
    const asJson = (counts: readonly number[]): string =>
      JSON.stringify({
        cluster_statuses: [
          {
            name: 'web',
            host_statuses: HOSTS.map((host, index) => ({
              address: { socket_address: { address: host.replace(':80', ''), port_value: 80 } },
              stats: [{ name: 'rq_total', value: String(counts[index]) }],
            })),
          },
        ],
      });
    expect(countsIn(await observed('page.json', [asJson([1, 1, 1, 1]), asJson(EVEN.map((own) => own + 1))]))).toEqual(
      EVEN,
    );
  });

  it('in the wrong order are taken in the right one, and it is said', async () => {
    const found = await observed('swapped.txt', [page([1250, 2251, 3249, 4250]), before]);
    expect(countsIn(found)).toEqual(EVEN);
    expect(found.notes[0]).toContain('counters fall in this order of pages');
  });

  it('of more than two the order is found, too', async () => {
    const middle = page([1100, 2100, 3100, 4100]);
    const found = await observed('several.txt', [middle, page([1250, 2251, 3249, 4250]), before]);
    expect(countsIn(found)).toEqual(EVEN);
    expect(found.notes).toHaveLength(1);
  });

  it('leave out a host that went', async () => {
    const found = await observed('went.txt', [before, page([1250, 2251, 3249, undefined])]);
    expect(found.clusters['web']?.parts.map(({ name }) => name)).toEqual(HOSTS.slice(0, 3));
    expect(found.notes).toEqual(['web: 10.0.0.4:80 went in between, and are left out']);
  });

  it('tell of no time: clocks need not agree', async () => {
    const timed = (text: string, at: string): string => `${text}\nweb::added_at::${at}`;
    const found = await observed('clocks.txt', [
      timed(before, '2030-01-01T00:00:00Z'),
      timed(page([1250, 2251, 3249, 4250]), '2020-01-01T00:00:00Z'),
    ]);
    expect([countsIn(found), found.notes]).toEqual([EVEN, []]);
  });

  const FEW: readonly (readonly [string, readonly (readonly (number | undefined)[])[]])[] = [
    [
      'no host',
      [
        [1000, 2000],
        [undefined, undefined, 30, 40],
      ],
    ],
    [
      'one host',
      [
        [1000, 2000, 3000, 4000],
        [10, 20, 30, 5000],
      ],
    ],
  ];
  it.each(FEW)('tell nothing where %s was there all the time', async (_, pages) => {
    expect(
      (
        await observed(
          'few.txt',
          pages.map((counts) => page(counts)),
        )
      ).verdict,
    ).toBe('too_little');
  });

  it('leave out a host whose counter began anew, and one that came', async () => {
    const found = await observed('anew.txt', [page([1000, 2000, undefined, 4000]), page([1250, 100, 90, 4250])]);
    expect(found.clusters['web']?.parts.map(({ name, expected }) => [name, expected])).toEqual([
      ['10.0.0.1:80', 0.5],
      ['10.0.0.4:80', 0.5],
    ]);
    expect(found.notes).toEqual([
      'web: the counters of 10.0.0.2:80 began anew; they are left out',
      'web: 10.0.0.3:80 came in between, and are left out',
    ]);
  });

  it('of /stats, as text, as JSON and as Prometheus has it', async () => {
    const name = (host: string): string => host.replace(':', '_');
    const text = (by: number): string =>
      HOSTS.map((host, index) => `cluster.web.endpoint.${name(host)}.rq_total: ${by * (EVEN[index] ?? 0)}`).join('\n');
    const json = (by: number): string =>
      JSON.stringify({
        stats: HOSTS.map((host, index) => ({
          name: `cluster.web.endpoint.${name(host)}.rq_total`,
          value: by * (EVEN[index] ?? 0),
        })),
      });
    const exposed = (by: number): string =>
      [
        '# TYPE envoy_cluster_endpoint_rq_total counter',
        ...HOSTS.map(
          (host, index) =>
            `envoy_cluster_endpoint_rq_total{envoy_cluster_name="web",envoy_endpoint_address="${name(host)}"} ${by * (EVEN[index] ?? 0)}`,
        ),
      ].join('\n');
    for (const form of [text, json, exposed])
      expect(countsIn(await observed('stats', [form(1), form(2)]))).toEqual(EVEN);
  });

  it('of /stats with zones alone compare these, and name one that is not configured', async () => {
    const zoned = folder.file(
      'zoned.yaml',
      `clusters: [{ name: web, lb_policy: RANDOM }]
endpoints: { web: [{ address: 10.0.0.1:80, count: 2, zone: a }, { address: 10.0.1.1:80, zone: b }] }
workloads: [{ cluster: web, arrivals: 100/s, stop: 10s }]
`,
    );
    const stats = (of: Readonly<Record<string, number>>): string =>
      Object.entries(of)
        .map(([zone, count]) => `cluster.web.zone.a.${zone}.upstream_rq_completed: ${count}`)
        .join('\n');
    const [before, after] = [stats({ a: 7, c: 1 }), stats({ a: 1007, b: 500, c: 10 })];
    const files = [folder.file('zones-0.txt', before), folder.file('zones-1.txt', after)];
    const found = JSON.parse(
      (await lbsim(['observe', zoned, files[0] ?? '', files[1] ?? '', '--json'])).stdout,
    ) as Observation;
    expect(found.clusters['web']?.parts.map(({ of, name, requests }) => [of, name, requests])).toEqual([
      ['zone', 'a', 1000],
      ['zone', 'b', 500],
      ['host', 'zone c', 9],
    ]);
    expect(found.notes).toEqual(['web: zone c got requests, and is in no file of the configuration']);
  });

  it('one alone counts from the start, which is said', async () => {
    const found = await observed('one.txt', page(EVEN));
    expect(found.notes[0]).toContain('one page counts from the start of the proxy');
  });
});

/** What Prometheus answers: of each host its points. @param named as the proxy calls it; else as after a sum. */
function queryAnswer(resultType: 'vector' | 'matrix', named: boolean, pointsOf: (even: number) => readonly number[]) {
  const result = HOSTS.map((host, index) => {
    const points = pointsOf(EVEN[index] ?? 0).map((count, at) => [1_700_000_000 + at * 15, String(count)]);
    const name = named ? { __name__: 'envoy_cluster_endpoint_rq_total', envoy_cluster_name: 'web' } : {};
    const metric = { ...name, endpoint_address: host };
    return { metric, ...(resultType === 'vector' ? { value: points[0] } : { values: points }) };
  });
  return JSON.stringify({ status: 'success', data: { resultType, result } });
}

describe('answers of Prometheus', () => {
  it.each([
    ['of a range', [queryAnswer('matrix', true, (even) => [9, 9 + even / 2, 9 + even])]],
    ['of a range of sums', [queryAnswer('matrix', false, (even) => [9, 9 + even])]],
    ['of two times', [1, 2].map((by) => queryAnswer('vector', true, (even) => [by * even]))],
    ['of increases', [queryAnswer('vector', false, (even) => [even + 0.2])]],
  ])('%s', async (_, texts) => {
    expect(countsIn(await observed('query.json', texts))).toEqual(EVEN);
  });

  it('of a range tell of counters that began anew', async () => {
    const text = queryAnswer('matrix', true, (even) => (even === 251 ? [900, 10, 20] : [900, 910, 920]));
    expect((await observed('anew.json', text)).notes).toEqual([
      'web: the counters of 10.0.0.2:80 began anew; they are left out',
    ]);
  });
});

describe('other forms', () => {
  it('a log, of which nothing is told but what is named', async () => {
    const lines = HOSTS.flatMap((host, index) =>
      Array.from({ length: EVEN[index] ?? 0 }, (_, at) =>
        JSON.stringify({ to: { host, cluster: 'web' }, user: 'secret', tries: at === 0 ? 2 : 1 }),
      ),
    );
    const log = [
      ...lines,
      JSON.stringify({ to: { host: null, cluster: 'web' }, user: 'secret' }),
      '{"odd": "secret"}',
      '',
    ].join('\n');
    const found = await observed('access.log', log, '--fields', 'host=to.host,cluster=to.cluster,attempts=tries');
    expect(countsIn(found)).toEqual(EVEN);
    expect(found.notes.map((note) => note.replace(/^.*access.log: /, ''))).toEqual([
      '4 requests had several attempts, of which a log names the last host alone',
      '1 line without a host',
      '1 line without the fields that were named',
    ]);
    expect(JSON.stringify(found)).not.toContain('secret');
  });

  /** Hosts take turns, a request each second. @param left at which the first one is left out. */
  function timedLog(left: (at: number) => boolean, line: (at: number) => object): string {
    const turns = Array.from({ length: 1000 }, (_, at) => ({ at, host: HOSTS[at % 4] ?? '' }));
    return turns
      .map(({ at, host }) => ({ host: host === HOSTS[0] && left(at) ? HOSTS[1 + ((at / 4) % 3)] : host, at }))
      .map(({ at, host }) => JSON.stringify({ upstream_host: host, upstream_cluster: 'web', ...line(at) }))
      .join('\n');
  }

  it.each([
    [
      'dates',
      (at: number) => new Date(at * 1000).toISOString(),
      '1970-01-01T00:06:36.000Z',
      '1970-01-01T00:13:20.000Z',
    ],
    ['numbers', (at: number) => at, '396', '800'],
  ])('a log tells when a host got nothing: %s', async (_, written, from, to) => {
    const log = timedLog(
      (at) => at >= 400 && at < 800,
      (at) => ({ begun: written(at) }),
    );
    const { notes } = await observed('quiet.log', log, '--fields', 'start=begun');
    expect(notes).toEqual([`web: 10.0.0.1:80 got nothing from ${from} to ${to}, while 403 requests went to others`]);
  });

  it('a log in which no host is left out tells of no quiet time', async () => {
    const log = timedLog(
      (at) => at % 16 === 0,
      (at) => ({ start_time: at }),
    );
    expect(await observed('even.log', log)).toMatchObject({ verdict: 'not_as_configured', notes: [] });
  });

  it('flags of answers are counted', async () => {
    const log = timedLog(
      () => false,
      (at) => ({ flags: at < 3 ? 'UF,URX' : '-' }),
    );
    const { notes } = await observed('flags.log', log, '--fields', 'flags=flags');
    expect(notes.map((note) => note.replace(/^.*log: /, ''))).toEqual(['3 requests ended with UF,URX']);
  });

  it('a log of single attempts tells that nothing was retried', async () => {
    const kindsOf = async (attempts: number): Promise<readonly string[]> => {
      const log = timedLog(
        (at) => at % 16 === 0,
        (at) => ({ upstream_request_attempt_count: at % 16 === 0 ? attempts : 1 }),
      );
      const { clusters } = await observed('attempts.log', log);
      return (clusters['web']?.causes ?? []).filter(({ tied }) => tied).map(({ kind }) => kind);
    };
    expect(await kindsOf(2)).toContain('retried');
    expect(await kindsOf(1)).not.toContain('retried');
  });

  it('a log of several clusters counts those of the one that is configured', async () => {
    const lines = ['web', 'other'].flatMap((cluster) =>
      HOSTS.flatMap((host, index) =>
        Array.from({ length: EVEN[index] ?? 0 }, () =>
          JSON.stringify({ upstream_host: host, upstream_cluster: cluster, start_time: 'secret' }),
        ),
      ),
    );
    const found = await observed('several.log', lines.join('\n'));
    expect(countsIn(found)).toEqual(EVEN);
    expect(found.notes).toEqual(['other: seen, and not in the configuration']);
    expect(JSON.stringify(found)).not.toContain('secret');
  });

  it('other clusters are named, and not compared', async () => {
    const found = await observed(
      'two.csv',
      [...HOSTS.map((host, index) => `web,${host},${EVEN[index]}`), 'other,10.0.0.1:80,7'].join('\n'),
    );
    expect(found.notes).toEqual(['other: seen, and not in the configuration']);
    expect(countsIn(found)).toEqual(EVEN);
  });
});

it('what is off is an alarm, and the host that is furthest off is named', async () => {
  const found = await observed('off.csv', countsText([143, 286, 286, 286]));
  expect(found.verdict).toBe('not_as_configured');
  expect(found.says).toContain(
    '10.0.0.1:80 gets 14.3 % where 25 % are expected: most likely it was unhealthy for 43 %',
  );
});

describe('an earlier configuration', () => {
  const weights = scenarioOf('RANDOM').replace(`"${HOSTS[0] ?? ''}"`, `{address: ${HOSTS[0] ?? ''}, weight: 3}`);
  const old = folder.file('old.yaml', weights.replace(HOSTS[3] ?? '', '10.0.0.9:80'));

  it('explains shares and hosts that are not of this one', async () => {
    const seen = '10.0.0.1:80 500\n10.0.0.2:80 166\n10.0.0.3:80 168\n10.0.0.9:80 166';
    expect((await observed('stranger', seen)).says).toContain(
      'was given other hosts than these files have: 10.0.0.9:80',
    );
    const { says, clusters } = await observed('earlier', seen, '--earlier', old);
    expect(says).toContain('most likely production still has the earlier configuration');
    expect(clusters['web']?.causes.map(({ kind }) => kind)).toEqual(['earlier']);
  });

  it('is not named where it explains nothing', async () => {
    const { clusters } = await observed('other', countsText([143, 286, 286, 286]), '--earlier', old);
    expect(clusters['web']?.causes.map(({ kind }) => kind)).not.toContain('earlier');
  });
});

it('--html writes what is seen beside what is expected as a page', async () => {
  const seen = folder.file('seen.csv', countsText([143, 286, 286, 286]));
  const page = join(folder.path, 'seen.html');
  const { code, stdout } = await lbsim(['observe', small, seen, '--html', page]);
  expect([code, stdout.includes('14.3 %')]).toEqual([1, true]);
  const packed = /id="report">([\w-]*)</.exec(readFileSync(page, 'utf8'))?.[1];
  const { observation, sides, text } = await unpackReport(packed ?? '');
  expect(observation?.told[0]).toContain('10.0.0.1:80 gets 14.3 % where 25 % are expected');
  expect(observation?.clusters[0]?.[1].parts.map((part) => part.requests)).toEqual([143, 286, 286, 286]);
  expect(sides[0]?.picture.clusters[0]?.hosts.length).toBe(4);
  expect(text).toContain('as configured');
});

describe('what is refused', () => {
  it.each([
    [[small], 'no file tells what hosts got'],
    [[small, folder.file('x.csv', '10.9.9.9:80 5')], 'nothing was sent to the hosts of web'],
    [[small, folder.file('z.csv', 'host,requests\n')], 'z.csv: a heading of counts, and none below it'],
    [[small, folder.file('y.csv', '10.0.0.1:80 5'), '--fields', 'from=x'], 'names are host, cluster, attempts'],
  ])('%j', async (args, words) => {
    const { code, stderr } = await lbsim(['observe', ...args]);
    expect({ code, said: stderr.replaceAll(/\s+/g, ' ') }).toEqual({
      code: 2,
      said: expect.stringContaining(words) as string,
    });
  });
});
