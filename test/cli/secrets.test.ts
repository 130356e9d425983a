import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { cellContext } from '../../src/cli/cell.js';
import { readRunnable } from '../../src/cli/input/scenario-file.js';
import { Session } from '../../src/cli/session.js';
import { importScenario } from '../../src/scenario/import/import.js';
import { setsWithoutSecrets, shownText, withoutSecrets } from '../../src/scenario/secrets.js';
import { fromFragment } from '../../src/site/link.js';
import { unpackReport } from '../../src/site/report.js';
import { Folder } from './files.js';
import { ioOf, lbsim, Sink } from './harness.js';

const folder = new Folder();
afterAll(() => folder.remove());

const PLACES = 34;
/** Each is in one place. */
const secret = (number: number): string => `hunter${number}x`;
const secretBytes = (number: number): string => Buffer.from(secret(number)).toString('base64');
const pem = (number: number, kind = 'PRIVATE KEY'): string =>
  `-----BEGIN ${kind}-----\n${secret(number)}\nMIIEvQIBADAN\n-----END ${kind}-----\n`;

/** Those that a text tells, in plain words or as bytes. */
function toldIn(text: string): readonly number[] {
  return [...Array(PLACES).keys()].filter((number) => {
    // In base64 a text of three bytes more is the same up to its last group.
    return text.includes(secret(number)) || text.includes(secretBytes(number).replace(/..?=*$/, ''));
  });
}

const type = (name: string): string => `type.googleapis.com/envoy.${name}`;
const header = (key: string, number: number): object => ({ header: { key, value: `Bearer ${secret(number)}` } });
const inline = (number: number): object => ({ inline_string: secret(number) });

const tls = {
  '@type': type('extensions.transport_sockets.tls.v3.UpstreamTlsContext'),
  common_tls_context: {
    tls_certificates: [
      {
        certificate_chain: { inline_string: pem(0, 'CERTIFICATE') },
        private_key: { inline_string: pem(1) },
        password: inline(2),
      },
      { private_key: { inline_bytes: secretBytes(3) }, certificate_chain: { inline_bytes: secretBytes(4) } },
    ],
    validation_context: { trusted_ca: { inline_string: pem(5, 'CERTIFICATE') } },
    custom_handshaker: {
      name: 'mine',
      typed_config: { '@type': 'type.googleapis.com/acme.Handshake', token: secret(6) },
    },
  },
};

const grpc = {
  google_grpc: {
    target_uri: `https://user:${secret(7)}@ads.example.com`,
    stat_prefix: 'ads',
    channel_credentials: { ssl_credentials: { private_key: inline(8) } },
    call_credentials: [
      { access_token: secret(9) },
      { google_refresh_token: secret(10) },
      { service_account_jwt_access: { json_key: secret(11) } },
      { google_iam: { authorization_token: secret(12), authority_selector: 'a' } },
      {
        from_plugin: {
          name: 'p',
          typed_config: { '@type': 'type.googleapis.com/acme.Token', deep: { list: [secret(13)] } },
        },
      },
    ],
  },
  initial_metadata: [{ key: 'authorization', value: `Basic ${secretBytes(14)}` }],
};

const address = (host: string): object => ({ socket_address: { address: host, port_value: 80 } });

const cluster = {
  '@type': type('config.cluster.v3.Cluster'),
  name: 'backend',
  type: 'STATIC',
  connect_timeout: '1s',
  lb_policy: 'ROUND_ROBIN',
  load_assignment: {
    cluster_name: 'backend',
    endpoints: [
      {
        locality: { zone: 'a' },
        lb_endpoints: [
          {
            endpoint: { address: address('10.0.0.1') },
            metadata: { filter_metadata: { 'envoy.lb': { api: secret(15) } } },
          },
          { endpoint: { address: address('10.0.0.2') }, metadata: { filter_metadata: { acme: { key: secret(16) } } } },
        ],
      },
    ],
  },
  health_checks: [
    {
      ...{ timeout: '1s', interval: '5s', unhealthy_threshold: 2, healthy_threshold: 2 },
      http_health_check: {
        path: `/health?key=${secret(17)}`,
        request_headers_to_add: [header('authorization', 18)],
        send: { text: Buffer.from(secret(19)).toString('hex') },
      },
    },
  ],
  transport_socket: { name: 'envoy.transport_sockets.tls', typed_config: tls },
  transport_socket_matches: [
    {
      name: 'm',
      match: {},
      transport_socket: { name: 'mine', typed_config: { '@type': 'type.googleapis.com/acme.X', x: secret(20) } },
    },
  ],
  metadata: { filter_metadata: { acme: { password: secret(21), pin: 482_910 } } },
  typed_extension_protocol_options: {
    'envoy.filters.network.redis_proxy': {
      '@type': type('extensions.filters.network.redis_proxy.v3.RedisProtocolOptions'),
      auth_password: inline(22),
    },
  },
};

const routes = {
  '@type': type('config.route.v3.RouteConfiguration'),
  name: 'local',
  request_headers_to_add: [header('x-api-key', 23)],
  virtual_hosts: [
    {
      ...{ name: 'all', domains: ['*'] },
      routes: [
        {
          match: { prefix: '/', headers: [{ name: 'authorization', string_match: { exact: secret(24) } }] },
          request_headers_to_add: [header('cookie', 25)],
          route: { cluster: 'backend' },
        },
        { match: { prefix: '/gone' }, direct_response: { status: 410, body: inline(26) } },
      ],
    },
  ],
};

const listener = {
  '@type': type('config.listener.v3.Listener'),
  name: 'in',
  address: address('0.0.0.0'),
  filter_chains: [
    {
      transport_socket: {
        name: 'envoy.transport_sockets.tls',
        typed_config: {
          '@type': type('extensions.transport_sockets.tls.v3.DownstreamTlsContext'),
          session_ticket_keys: { keys: [inline(27)] },
        },
      },
      filters: [
        {
          name: 'envoy.filters.network.http_connection_manager',
          typed_config: {
            '@type': type('extensions.filters.network.http_connection_manager.v3.HttpConnectionManager'),
            stat_prefix: 'in',
            route_config: { name: 'l', virtual_hosts: [] },
            http_filters: [
              {
                name: 'envoy.filters.http.lua',
                typed_config: {
                  '@type': type('extensions.filters.http.lua.v3.Lua'),
                  inline_code: `local token = "${secret(28)}"`,
                },
              },
            ],
          },
        },
      ],
    },
  ],
};

const bootstrap = {
  node: { id: 'node-1', cluster: 'edge', metadata: { TOKEN: secret(29) } },
  static_resources: { clusters: [{ ...cluster, '@type': undefined, name: 'fixed', load_assignment: undefined }] },
  dynamic_resources: { ads_config: { api_type: 'GRPC', transport_api_version: 'V3', grpc_services: [grpc] } },
  layered_runtime: { layers: [{ name: 'one', static_layer: { acme: { token: secret(30) } } }] },
  stats_sinks: [
    { name: 'acme', typed_config: { '@type': 'type.googleapis.com/envoy.acme.stat_sinks.Sink', api_key: secret(31) } },
  ],
};

const section = (name: string, content: object): object => ({
  '@type': type(`admin.v3.${name}ConfigDump`),
  ...content,
});

const dump = {
  configs: [
    section('Bootstrap', { bootstrap: { ...bootstrap, static_resources: {} } }),
    section('Clusters', { dynamic_active_clusters: [{ version_info: '1', cluster }] }),
    section('Listeners', { dynamic_listeners: [{ name: 'in', active_state: { listener } }] }),
    section('Routes', { static_route_configs: [{ route_config: routes }] }),
    section('Secrets', {
      dynamic_active_secrets: [
        { name: 'g', secret: { name: 'g', generic_secret: { secret: inline(32) } } },
        { name: 'k', secret: { name: 'k', tls_certificate: { private_key: { inline_string: pem(33) } } } },
      ],
    }),
  ],
};

/** As a proxy, a person and a tool write it. */
const FORMS = {
  'dump.json': JSON.stringify(dump, null, 1),
  'line.json': JSON.stringify(dump),
  'dump.yaml': stringify(dump),
  'folded.yaml': stringify(dump, { lineWidth: 30, blockQuote: 'folded', defaultStringType: 'PLAIN' }),
};
const files = Object.entries(FORMS).map(([name, text]) => ({ name, text, path: folder.file(name, text) }));
const again = folder.file('again.json', FORMS['dump.json'].replace('ROUND_ROBIN', 'RANDOM'));

describe('34 secrets in a dump', () => {
  it.each(files)('are in it: $name', ({ text }) => {
    const planted = text.replaceAll(/\n\s*/g, '');
    const asHex = (number: number): boolean => planted.includes(Buffer.from(secret(number)).toString('hex'));
    const found = [...Array(PLACES).keys()].filter((number) => toldIn(planted).includes(number) || asHex(number));
    expect(found).toHaveLength(PLACES);
  });

  it.each(files)('change nothing that balances when they are taken out of $name', ({ name, text }) => {
    const [safe] = withoutSecrets([{ file: name, text }]);
    expect(toldIn(safe?.text ?? '')).toEqual([]);
    expect(safe?.text).not.toContain(Buffer.from(secret(19)).toString('hex'));
    expect(safe?.text).not.toContain('482910');
    expect(safe?.text.split('\n').length).toBe(text.split('\n').length);
    const { xds, ...imported } = importScenario([{ file: name, text }]);
    expect(toldIn(JSON.stringify(xds))).toEqual([]);
    expect(importScenario([{ file: name, text: safe?.text ?? '' }])).toMatchObject(imported);
  });

  it.each(files)('are hidden in each line of $name that is shown, and wherever all are', ({ name, text }) => {
    const lineOf = (shown: string, line: number): string | undefined => shown.split('\n')[line - 1];
    const lines = [...text.split('\n').keys()].map((before) => before + 1);
    const whole = shownText({ file: name, text }, lines);
    expect(toldIn(whole.replaceAll(/\n\s*/g, ''))).toEqual([]);
    for (const line of lines) expect(lineOf(shownText({ file: name, text }, [line]), line)).toBe(lineOf(whole, line));
  });

  it('are hidden where an anchor names them, too', () => {
    const text = `description: &key ${secret(0)}\nclusters:\n  - name: a\n    metadata: {filter_metadata: {x: {password: *key}}}\n`;
    expect(toldIn(text)).toEqual([0]);
    expect(toldIn(shownText({ file: 'a.yaml', text }, [1]))).toEqual([]);
  });

  const html = folder.file('report.html', '');
  const calls: readonly (readonly [string, (file: string) => readonly string[]])[] = [
    ['run', (file) => ['run', '--duration', '1s', file]],
    ['run --json', (file) => ['run', '--duration', '1s', '--json', file]],
    ['run --csv', (file) => ['run', '--duration', '1s', '--csv', file]],
    ['run --html', (file) => ['run', '--duration', '1s', '--html', '-', file]],
    ['run --html --playable', (file) => ['run', '--duration', '1s', '--html', '-', '--playable', file]],
    ['run --link', (file) => ['run', file, '--link']],
    ['run --decisions', (file) => ['run', '--duration', '1s', '--decisions', '-', file]],
    ['predict', (file) => ['predict', '--json', file]],
    ['predict --html --playable', (file) => ['predict', '--html', '-', '--playable', file]],
    ['validate', (file) => ['validate', file]],
    ['validate --json', (file) => ['validate', '--json', file]],
    ['validate --format github', (file) => ['validate', '--format', 'github', file]],
    ['import', (file) => ['import', file]],
    ['import --json', (file) => ['import', '--json', file]],
    ['compare', (file) => ['compare', file, again, '--duration', '1s']],
    [
      'compare --html --playable',
      (file) => ['compare', file, again, '--duration', '1s', '--playable', '--force', '--html', html],
    ],
    ['explain', (file) => ['explain', file]],
    ['find', (file) => ['find', file]],
    ['find --replay', (file) => ['find', '--replay', '-', file]],
    ['curve', (file) => ['curve', '--lose', 'zone=a', file]],
    ['race', (file) => ['race', '--policies', 'RANDOM,ROUND_ROBIN', '--duration', '1s', file]],
    [
      'race --html --playable',
      (file) => [
        'race',
        '--policies',
        'RANDOM,MAGLEV',
        '--duration',
        '1s',
        '--playable',
        '--force',
        '--html',
        html,
        file,
      ],
    ],
    ['ring', (file) => ['ring', '--set', 'clusters.backend.lb_policy=MAGLEV', file]],
    ['sweep', (file) => ['sweep', '--vary', 'seed=1,2', '--duration', '1s', '--results', ':memory:', '--json', file]],
    ['run --replications', (file) => ['run', '--replications', '2', '--duration', '1s', '--json', file]],
    ['test', (file) => ['test', file]],
  ];

  it.each(calls)('are not told by %s', async (name, call) => {
    // Each form by the calls that show or carry the text; the others read all forms alike.
    const shown = /validate|--link|import$/.test(name) ? files : files.slice(0, 1);
    for (const { path } of shown) {
      const { code, stdout, stderr } = await lbsim(call(path));
      expect([path, code, stderr]).toEqual([
        path,
        expect.toSatisfy((one) => one === 0 || one === 1 || name === 'find --replay'),
        stderr,
      ]);
      expect(toldIn(stdout + stderr + (await unpacked(stdout)) + (await unpacked(readFileSync(html, 'utf8'))))).toEqual(
        [],
      );
    }
  });

  it('are not told by any page that serve has', async () => {
    for (const { path } of files.slice(1, 3)) {
      const stop: { now?: () => void } = {};
      const stderr = new Sink();
      const interrupt = new Promise<void>((resolve) => (stop.now = resolve));
      const ended = lbsim(['serve', path, '--port', '0', '--pace', 'max'], { stderr, interrupt });
      const isUp = (): RegExpExecArray | null => /playground: (http:\S+)playground\//.exec(stderr.text);
      while (isUp() === null) await new Promise(setImmediate);
      const url = isUp()?.[1] ?? '';
      let told = '';
      for (const page of [
        '',
        'playground/',
        'config_dump',
        'config_dump?include_eds',
        'clusters',
        'clusters?format=json',
        'stats',
        'server_info',
      ]) {
        const text = await fetched(url + page);
        told += text + (await unpacked(text));
      }
      stop.now?.();
      const { stdout } = await ended;
      expect(told).toContain('[redacted]');
      expect(toldIn(told + stdout + stderr.text)).toEqual([]);
    }
  });

  it('do not go to the workers of a Redis', async () => {
    for (const { path } of files) {
      const runnable = await readRunnable([path], { source: true }, new Session(ioOf({})));
      expect(toldIn(JSON.stringify(cellContext(runnable, {}, {})))).toEqual([]);
    }
  });
});

const AT = 'clusters.backend.';
/** Where a change puts a secret: by a path, in a value, below a name of somebody's own. */
const CERTIFICATE = `${AT}transport_socket.typed_config.common_tls_context.tls_certificates[0]`;
const CHANGES = [
  `${CERTIFICATE}.password.inline_string=${secret(0)}`,
  `${CERTIFICATE}.private_key={inline_string: "${secret(1)}"}`,
  `${AT}metadata.filter_metadata.acme={deep: {list: [${secret(2)}]}}`,
  `${AT}metadata.filter_metadata.other=${JSON.stringify({ pin: secret(3), quoted: `say "${secret(4)}"` })}`,
  `${AT}health_checks[0].http_health_check.request_headers_to_add=[{header: {key: a, value: ${secret(5)}}}]`,
];
const changed = CHANGES.flatMap((change) => ['--set', change]);
const plain = folder.file(
  'plain.yaml',
  stringify({
    static_resources: {
      clusters: [
        {
          ...cluster,
          '@type': undefined,
          transport_socket_matches: undefined,
          typed_extension_protocol_options: undefined,
          metadata: undefined,
          transport_socket: {
            name: 'envoy.transport_sockets.tls',
            typed_config: { '@type': tls['@type'], common_tls_context: { tls_certificates: [{}] } },
          },
        },
      ],
    },
  }),
);

describe('secrets in --set', () => {
  const page = folder.file('sides.html', '');
  const calls: readonly (readonly [string, readonly string[]])[] = [
    ['run --json', ['run', plain, '--duration', '1s', '--json']],
    ['run --html --playable', ['run', plain, '--duration', '1s', '--html', '-', '--playable']],
    ['run --link', ['run', plain, '--link']],
    ['compare', ['compare', plain, '--duration', '1s']],
    ['compare --json', ['compare', plain, '--duration', '1s', '--json']],
    ['compare --html', ['compare', plain, '--duration', '1s', '--playable', '--force', '--html', page]],
    ['race', ['race', '--policies', 'RANDOM,ROUND_ROBIN', '--duration', '1s', '--json', plain]],
    ['predict --json', ['predict', plain, '--json']],
  ];

  it.each(calls)('are not told by %s', async (_, call) => {
    const { code, stdout, stderr } = await lbsim([...call, ...changed]);
    expect([code, stderr]).toEqual([0, stderr]);
    const told = stdout + stderr + (await unpacked(stdout)) + (await unpacked(readFileSync(page, 'utf8')));
    expect(toldIn(told)).toEqual([]);
  });

  it('name a side without them', async () => {
    const { stdout } = await lbsim([
      'compare',
      plain,
      '--duration',
      '1s',
      '--json',
      '--set',
      `${AT}lb_policy=RANDOM`,
      ...changed,
    ]);
    expect(stdout).toContain(`--set ${AT}lb_policy=RANDOM`);
    expect(stdout).toContain('acme={deep: {list: [\\"[redacted]\\"]}}');
  });

  it('do not go to the workers of a Redis', async () => {
    const runnable = await readRunnable([plain], { source: true, set: CHANGES }, new Session(ioOf({})));
    const { source } = cellContext(runnable, {}, {});
    expect(toldIn(JSON.stringify(source))).toEqual([]);
    expect(source.options.set).toHaveLength(CHANGES.length);
  });

  it('do not go into the link of a playground', () => {
    const files = [{ file: 'plain.yaml', text: readFileSync(plain, 'utf8') }];
    const sets = setsWithoutSecrets([...CHANGES, `${AT}lb_policy=MAGLEV`], files);
    expect(toldIn(sets.join('\n'))).toEqual([]);
    expect(sets.at(-1)).toBe(`${AT}lb_policy=MAGLEV`);
  });

  it.each([
    [`${AT}nonsense=${secret(0)}`],
    [`${AT}health_checks[0].http_health_check.request_headers_to_add=${secret(0)}`],
    [`${AT}health_checks[0].nonsense.password=${secret(0)}`],
    [`nowhere.is[3].password=${secret(0)}`],
    [`${AT}metadata.filter_metadata.acme={password: ${secret(0)}`],
  ])('that is wrong are told without it: %s', async (change) => {
    for (const form of [[], ['--json']]) {
      const { code, stdout, stderr } = await lbsim(['run', plain, ...form, '--set', change]);
      expect(code).toBe(2);
      expect(toldIn(stdout + stderr)).toEqual([]);
    }
  });
});

describe('secrets in --vary', () => {
  const ACME = `${AT}metadata.filter_metadata.acme`;
  const vary = [
    `${ACME}.password=${secret(0)},${secret(1)}`,
    `${CERTIFICATE}.private_key={inline_string: "${secret(2)}"},{inline_string: "${secret(3)}"}`,
    `${AT}lb_policy=RANDOM,ROUND_ROBIN`,
  ];
  const results = folder.file('vary.sqlite', '');
  const shared = ['--duration', '1s', '--results', results, ...vary.flatMap((axis) => ['--vary', axis])];
  const page = folder.file('vary.html', '');
  const table = folder.file('vary.parquet', '');

  it.each([[[]], [['--json']], [['--csv']], [['--force', '--html', page]], [['--force', '--parquet', table]]])(
    'are not told, and not kept: %j',
    async (form) => {
      const { code, stdout, stderr } = await lbsim(['sweep', plain, ...shared, ...form]);
      expect([code, stderr]).toEqual([0, stderr]);
      const kept = [results, page, table].map((file) => readFileSync(file, 'latin1')).join('\n');
      expect(toldIn(stdout + stderr + kept)).toEqual([]);
      expect(kept).toContain('[redacted]');
      expect(kept).toContain(`${AT}lb_policy=RANDOM`);
    },
  );

  it('are one value, a range of them too', async () => {
    const file = ['--results', folder.file('pin.sqlite', '')];
    const call = ['sweep', plain, '--duration', '1s', ...file, '--json', '--vary', `${ACME}.password=4711..4713`];
    const { stdout } = await lbsim(call);
    const values = (JSON.parse(stdout) as { results: { values: object }[] }).results.map((one) => one.values);
    expect(values).toEqual(Array(3).fill({ [`${ACME}.password`]: '"[redacted]"' }));
  });

  it.each([
    [`${AT}nonsense.password=${secret(0)}`],
    [`${AT}health_checks[0].http_health_check.request_headers_to_add=${secret(0)},${secret(1)}`],
    [`password: ${secret(0)}`],
    [`password=${secret(0)},,`],
  ])('that are wrong are told without them: %s', async (axis) => {
    const { code, stdout, stderr } = await lbsim(['sweep', plain, '--duration', '1s', '--vary', axis]);
    expect(code).toBe(2);
    expect(toldIn(stdout + stderr)).toEqual([]);
  });
});

describe('names of maps that are secrets themselves', () => {
  const NAMES = [
    'sk_live_4eC39HqLyjWDarjtT1zdp7dc',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln',
    'api_key_abc123def',
    'hunter1x',
    'glpat-x1y2z3a4b5c6',
    'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
  ] as const;
  const names = {
    static_resources: {
      clusters: [
        {
          ...{ name: 'backend', type: 'STATIC', connect_timeout: '1s', nonsense_sk_live_4eC39HqLyj: 1 },
          metadata: {
            filter_metadata: {
              acme: {
                [NAMES[0]]: 1,
                deep: [{ [NAMES[1]]: 1 }],
                [NAMES[2]]: { tokens: { [NAMES[3]]: 'a', plain: 'b' } },
              },
            },
          },
          typed_extension_protocol_options: { [NAMES[4]]: { '@type': 'type.googleapis.com/acme.X', a: 1 } },
        },
      ],
    },
    layered_runtime: { layers: [{ name: 'one', static_layer: { acme: { [NAMES[5]]: 1 } } }] },
  };
  const told = (text: string): readonly string[] => [...NAMES, 'sk_live'].filter((name) => text.includes(name));

  it.each([
    ['names.json', JSON.stringify(names, null, 1)],
    ['names.yaml', stringify(names)],
  ])('are hidden, and the other names of %s stay', async (file, text) => {
    const [safe] = withoutSecrets([{ file, text }]);
    expect(told(safe?.text ?? '')).toEqual([]);
    for (const name of ['filter_metadata', 'acme', 'deep', 'tokens', 'plain', 'backend']) {
      expect(safe?.text).toContain(name);
    }
    expect(new Set(safe?.text.match(/\[redacted\](?: \d+)?(?="?:)/g))).toHaveProperty('size', 7);
    const path = folder.file(file, text);
    for (const call of [['validate'], ['validate', '--json'], ['run', '--json'], ['run', '--link']]) {
      const { stdout, stderr } = await lbsim([...call.slice(0, 1), path, ...call.slice(1)]);
      expect(told(stdout + stderr + (await unpacked(stdout)))).toEqual([]);
    }
  });

  it('are hidden in the path of a change, and in its value', () => {
    const files = [{ file: 'plain.yaml', text: readFileSync(plain, 'utf8') }];
    const acme = `${AT}metadata.filter_metadata.acme`;
    const changes = [`${acme}.${NAMES[2]}.x=1`, `${acme}["${NAMES[1]}"]=1`, `${acme}.tokens={${NAMES[3]}: 1, more: 2}`];
    expect(setsWithoutSecrets(changes, files)).toEqual([
      `${acme}.redacted.x="[redacted]"`,
      `${acme}["redacted"]="[redacted]"`,
      `${acme}.tokens={"[redacted] 3": "[redacted]", more: "[redacted]"}`,
    ]);
  });
});

/** What is carried in a page or a link. */
async function unpacked(text: string): Promise<string> {
  const packed = /id="report">([\w-]+)</.exec(text)?.[1];
  const link = /^\S+(#s=\S+)$/m.exec(text)?.[1];
  const report = packed === undefined ? '' : JSON.stringify(await unpackReport(packed));
  return report + (link === undefined ? '' : JSON.stringify(await fromFragment(link)));
}

function fetched(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve(text));
    }).on('error', reject);
  });
}

/** Each has a mistake at a secret, or beside it. */
const MISTAKES = {
  'a misspelt field': 'name: a\nconnect_timeout: 1s\nTLS {private_key: {inline_strin: "hunter1x"}}\n',
  'a misspelt certificate': 'name: a\nTLS {private_ky: {inline_string: "hunter1x"}, password: 5}\n',
  'a secret in the place of a message': 'name: a\nTLS {private_key: hunter1x, nonsense: 1}\n',
  'a text in the place of a list':
    'name: a\nlb_polcy: RANDOM\ntls_context: {common_tls_context: {tls_certificates: hunter1x}}\n',
  'another mistake in the line': 'name: a\nTLS {private_key: {inline_string: hunter1x}}, nonsense: 1\n',
  'a block':
    'name: a\ntls_context:\n  common_tls_context:\n    tls_certificates:\n    - private_key:\n        inline_strin: |\n          hunter1x\n      nonsense: 1\n',
  'no YAML, in the line': 'name: a\nprivate_key: {inline_string: "hunter1x\n  x: ]\n',
  'no YAML, in a block':
    'name: a\nprivate_key:\n  inline_string: |\n    -----BEGIN PRIVATE KEY-----\n    hunter1x\n  MIIEvQ\n -----END PRIVATE KEY-----: {\n',
  'no YAML, misspelt': 'name: a\nx: {inline_strin: "hunter1x", y: [}\n',
  'no YAML, in a header': 'name: a\nheaders: [{key: authorization, value: Bearer hunter1x]\n',
  'a header':
    'name: a\nhealth_checks: [{http_health_check: {request_headers_to_add: [{header: {key: authorization, vale: hunter1x}}]}}]\n',
  'a comment': 'name: a\nnonsense: 1 # password: hunter1x\n',
  'an unknown Any':
    'name: a\ntransport_socket: {name: x, typed_config: {"@type": type.googleapis.com/acme.X, a: hunter1x}, typo: 1}\n',
};

describe('a mistake at a secret is told without it', () => {
  const TLS = 'tls_context: {common_tls_context: {tls_certificates: [';
  const written = Object.entries(MISTAKES).map(([name, text]) => {
    const whole = text.replace(/^TLS (.*?)(?=, nonsense: 1$|$)/m, `${TLS}$1]}}`);
    return { name, text: whole, file: folder.file(`${name.replaceAll(/\W/g, '-')}.yaml`, whole) };
  });

  it.each(written)('$name', async ({ text, file }) => {
    expect(text).toContain('hunter1x');
    for (const options of [
      ['validate'],
      ['validate', '--json'],
      ['run'],
      ['run', '--json'],
      ['import'],
      ['run', '--api', 'v3'],
      ['run', '--link'],
    ]) {
      const { code, stdout, stderr } = await lbsim([...options, file]);
      expect(stdout + stderr).not.toContain('hunter1x');
      // An import leaves most of it out before anything reads it.
      if (options[0] !== 'import') expect({ options, code }).toEqual({ options, code: 2 });
    }
  });

  it('one message by itself', async () => {
    const file = folder.file('one.yaml', 'certificate_chain: hunter1x\nprivate_key: hunter1x\n');
    for (const form of [[], ['--json']]) {
      const { code, stdout, stderr } = await lbsim(['validate', '--as', 'auth.TlsCertificate', file, ...form]);
      expect(code).toBe(2);
      expect(stdout).toContain('certificate_chain');
      expect(stdout + stderr).not.toContain('hunter1x');
    }
  });
});
