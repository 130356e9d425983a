/**
 * core.*: what many messages share. Where a host runs, who a proxy is, headers, data sources.
 */
import type { Struct } from '../core/json.js';
import { Address } from './address.js';
import { canonicalName } from './any.js';
import { headerFormatProblem } from './header-format.js';
import { SemanticVersion } from './percent.js';
import { defaulted, INVALID, mapping, message, optional, plain, reading, repeated, required } from './reader.js';
import type { Output, Rule, Schema } from './reader.js';
import { bool, boolValue, bytes, duration, enumeration, string, struct, uint32Value } from './reader/proto.js';
import { readerOf } from './reader/walk.js';

export const RoutingPriority = enumeration('core.RoutingPriority', { DEFAULT: 0, HIGH: 1 });

export const RequestMethod = enumeration('core.RequestMethod', {
  METHOD_UNSPECIFIED: 0,
  GET: 1,
  HEAD: 2,
  POST: 3,
  PUT: 4,
  DELETE: 5,
  CONNECT: 6,
  OPTIONS: 7,
  TRACE: 8,
  PATCH: 9,
});

export const TrafficDirection = enumeration('core.TrafficDirection', { UNSPECIFIED: 0, INBOUND: 1, OUTBOUND: 2 });

/** core.Locality */
export const Locality = message(
  'core.Locality',
  () => ({
    region: plain(string(), 'Region.'),
    zone: plain(
      string(),
      'Zone within the region, as an availability zone of a cloud. A proxy also takes its own from its option --service-zone.',
    ),
    sub_zone: plain(string(), 'Part of a zone that is balanced on its own.'),
  }),
  { doc: 'Where a proxy or an upstream host runs.' },
);
export type Locality = Output<typeof Locality>;

const namedStructs = mapping(struct(), (key) => (key === '' ? 'a key must not be empty' : undefined));

/** core.Metadata */
export const Metadata = message(
  'core.Metadata',
  () => ({
    filter_metadata: defaulted(
      namedStructs,
      {},
      'Values by filter name, in reverse DNS notation. Load balancing reads the entry proxy.lb.',
    ),
  }),
  {
    doc: 'Additional inputs for filters and for load balancing. Under proxy.lb, canary: true marks a canary host: it has statistics of its own (canary.upstream_rq_…), and retries can avoid it. The header x-proxy-upstream-canary is not simulated.',
  },
);
export type Metadata = Output<typeof Metadata>;

/** The entry of a filter, under its name or its alias; `{}` if there is none. */
export function metadataEntry(metadata: Metadata | undefined, name: string): Struct {
  if (metadata === undefined) return {};
  const wanted = canonicalName(name);
  const found = Object.entries(metadata.filterMetadata).findLast(([key]) => canonicalName(key) === wanted);
  return found?.[1] ?? {};
}

/** core.BuildVersion */
export const BuildVersion = message(
  'core.BuildVersion',
  () => ({
    version: optional(SemanticVersion, 'Version of the extension.'),
    metadata: optional(struct(), 'Free-form build information.'),
  }),
  { doc: 'Version and build of a piece of software.' },
);

/** core.Extension */
export const Extension = message(
  'core.Extension',
  () => ({
    name: plain(string(), 'Name as used in configuration, for example proxy.filters.http.router.'),
    category: plain(string(), 'Category in reverse DNS notation, for example proxy.filters.listener.'),
    type_descriptor: plain(string(), 'Type of the configuration message of the extension.'),
    version: optional(BuildVersion, 'Version, independent of other extensions and of the API.'),
    disabled: plain(bool(), 'Present, but disabled by dynamic configuration.'),
  }),
  { doc: 'An extension that a proxy supports.' },
);

const unsent = { noEffect: 'the node is sent to nobody' };

/** core.Node */
export const Node = message(
  'core.Node',
  () => ({
    id: plain(
      string(),
      'Name of the instance. Needed for EDS, CDS, statsd over TCP and tracing. A proxy also takes it from its option --service-node.',
    ),
    cluster: plain(
      string(),
      'Name of the service cluster that the instance belongs to. A proxy also takes it from its option --service-cluster.',
    ),
    metadata: optional(struct(), 'Passed to the management server unchanged.', unsent),
    locality: optional(Locality, 'Where the instance runs; zone-aware routing compares it with the hosts’.'),
    build_version: plain(string(), 'Version under test.', {
      deprecated: 'use user_agent_name and user_agent_version',
      ...unsent,
    }),
    user_agent_name: plain(string(), 'Name of the program that asks for configuration.', unsent),
    user_agent_version: optional(string(), 'Version of that program as text.', unsent),
    user_agent_build_version: optional(BuildVersion, 'Version of that program, structured.', unsent),
    extensions: repeated(Extension, 'Extensions and versions that the node supports.', unsent),
    client_features: repeated(string(), 'Features of the client, in reverse DNS notation.', unsent),
    listening_addresses: repeated(Address, 'Known listening ports, a hint for the management server.', unsent),
  }),
  {
    doc: 'Identifies one proxy instance.',
    oneOfs: [{ name: 'user_agent_version_type', fields: ['user_agent_version', 'user_agent_build_version'] }],
  },
);
export type Node = Output<typeof Node>;

/** Text that must not break a line of HTTP. @param what as in "a path" */
export function oneLine(what: string): { readonly regex: RegExp; readonly means: string } {
  return { regex: /^[^\0\r\n]*$/, means: `${what} on one line` };
}

// --- headers -------------------------------------------------------------------------------------------------------

/** core.HeaderValue */
export const HeaderValue = message(
  'core.HeaderValue',
  () => ({
    key: required(string({ minLength: 1, maxBytes: 16384, pattern: oneLine('a header name') }), 'Header name.'),
    value: plain(
      string({ maxBytes: 16384, pattern: oneLine('a header value') }),
      'Header value; %COMMANDS% of access logging apply.',
    ),
  }),
  {
    doc: 'A header name and value.',
    rules: [
      {
        name: 'header-format',
        doc: 'Format specifiers in the value are complete, and the proxy knows them.',
        reads: ['value'],
        check: ({ value }, report) => {
          const problem = headerFormatProblem(value);
          if (problem !== undefined) report(problem, ['value']);
        },
      },
      {
        name: 'header-name',
        doc: 'Neither host nor a header that begins with a colon may be set.',
        reads: ['key'],
        check: ({ key }, report) => {
          if (isProtected(key)) report(`${key}: :-prefixed or host headers may not be modified`, ['key']);
        },
      },
    ],
  },
);

/** core.HeaderValueOption */
export const HeaderValueOption = message(
  'core.HeaderValueOption',
  () => ({
    header: required(HeaderValue, 'The header.'),
    append: optional(boolValue(), 'Append to existing values instead of replacing them. Default true.'),
  }),
  { doc: 'A header to add.' },
);

/** What routes and health checks leave alone: the proxy has fields of its own for it. */
function isProtected(header: string): boolean {
  return header.startsWith(':') || header.toLowerCase() === 'host';
}

/** Name of a header that is removed. */
export function removedHeader(minLength = 0): Schema<string> {
  const read = readerOf(string({ minLength, pattern: oneLine('a header name') }));
  return reading<string>('string', (node, walk) => {
    const name = read(node, walk);
    if (typeof name !== 'string') return INVALID;
    if (!isProtected(name)) return name;
    return walk.error('header-name', `${name}: :-prefixed or host headers may not be removed`, node);
  });
}

// --- data ----------------------------------------------------------------------------------------------------------

const readText = readerOf(string({ minLength: 1 }));

/** Path of a file that the proxy reads at start. */
const filePath = reading<string>('string', (node, walk) => {
  const path = readText(node, walk);
  if (typeof path !== 'string' || walk.fileExists?.(path) !== false) return path;
  const text = `Invalid path: ${path}: there is no such file here, and a proxy does not start without it`;
  // What is simulated needs no certificate.
  walk.report('warning', 'file', text, node);
  return path;
});

/** core.DataSource */
export const DataSource = message(
  'core.DataSource',
  () => ({
    filename: optional(filePath, 'A local file.'),
    inline_bytes: optional(bytes({ minLength: 1 }), 'Bytes in the configuration itself.'),
    inline_string: optional(string({ minLength: 1 }), 'Text in the configuration itself.'),
  }),
  {
    doc: 'Data from a file or from the configuration.',
    oneOfs: [{ name: 'specifier', fields: ['filename', 'inline_bytes', 'inline_string'], required: true }],
  },
);
export type DataSource = Output<typeof DataSource>;

interface Intervals {
  /** µs */
  readonly baseInterval: number;
  readonly maxInterval?: number | undefined;
}

/** The proxy compares whole milliseconds, of which there is at least one. */
function wholeMs(us: number): number {
  return Math.max(1, Math.floor(us / 1000));
}

/** @param text how the proxy puts it, which differs from message to message. */
export function backoffOrder(text: string): Rule<Intervals> {
  return {
    name: 'backoff-order',
    doc: 'max_interval is at least base_interval.',
    reads: ['base_interval', 'max_interval'],
    check: ({ baseInterval, maxInterval }, report) => {
      if (maxInterval !== undefined && wholeMs(maxInterval) < wholeMs(baseInterval)) report(text, ['max_interval']);
    },
  };
}

/** core.BackoffStrategy */
export const BackoffStrategy = message(
  'core.BackoffStrategy',
  () => ({
    base_interval: required(duration({ minNanos: 1_000_000 }), 'First interval; at least 1 ms.'),
    max_interval: optional(duration({ aboveNanos: 0 }), 'Longest interval. Default 10 times base_interval.'),
  }),
  {
    doc: 'Exponential back-off.',
    rules: [backoffOrder('max_interval must be greater than or equal to the base_interval')],
  },
);

/** core.RetryPolicy: of fetching data, not of requests. */
export const RetryPolicy = message(
  'core.RetryPolicy',
  () => ({
    retry_back_off: optional(BackoffStrategy, 'Default: 1000 ms, at most 10 times that.'),
    num_retries: optional(uint32Value(), 'Default 1.'),
  }),
  { doc: 'How fetching a remote data source is retried.' },
);

/** core.HttpUri */
export const HttpUri = message(
  'core.HttpUri',
  () => ({
    uri: required(string({ minLength: 1 }), 'URI of the server, with scheme.'),
    cluster: required(string({ minLength: 1 }), 'Cluster that the request is sent to.'),
    timeout: required(duration(), 'How long the response may take.'),
  }),
  { doc: 'An HTTP resource and the cluster that serves it.' },
);

/** core.RemoteDataSource */
export const RemoteDataSource = message(
  'core.RemoteDataSource',
  () => ({
    http_uri: required(HttpUri, 'Where the data is.'),
    sha256: required(string({ minLength: 1 }), 'SHA256 of the data.'),
    retry_policy: optional(RetryPolicy, 'How fetching is retried.'),
  }),
  { doc: 'Data fetched over HTTP and verified.' },
);

/** core.AsyncDataSource */
export const AsyncDataSource = message(
  'core.AsyncDataSource',
  () => ({
    local: optional(DataSource, 'Local data.'),
    remote: optional(RemoteDataSource, 'Remote data.'),
  }),
  { doc: 'Data from here or elsewhere.', oneOfs: [{ name: 'specifier', fields: ['local', 'remote'], required: true }] },
);

/** core.ControlPlane */
export const ControlPlane = message(
  'core.ControlPlane',
  () => ({ identifier: plain(string(), 'Identifies the control plane instance a proxy is connected to.') }),
  { doc: 'A management server.' },
);
