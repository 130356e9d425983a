import type { Output } from './reader.js';
import { message, optional, plain, repeated, required } from './reader.js';
import { formatIpPort, parseIp } from './ip.js';
import { utf8Length } from './reader/proto/strings.js';
import { bool, boolValue, bytes, enumeration, int64, string, uint32, uint32Value } from './reader/proto.js';

/** One byte of the system's 108 ends the path. */
const MAX_PATH_BYTES = 107;

export const Pipe = message(
  'core.Pipe',
  () => ({
    path: required(string({ minLength: 1 }), 'Path of a Unix domain socket; a leading @ is an abstract one.'),
    mode: plain(uint32({ max: 511 }), 'Mode of the socket file.', { noEffect: 'no socket is made' }),
  }),
  {
    doc: 'A Unix domain socket.',
    rules: [
      {
        name: 'pipe',
        doc: 'The path has at most 107 bytes. An abstract one has no mode, any other no zero byte.',
        reads: ['path', 'mode'],
        check: ({ path, mode }, report) => {
          const abstract = path.startsWith('@');
          if (utf8Length(path) > MAX_PATH_BYTES) {
            report(`Path "${path}" exceeds maximum UNIX domain socket path size of ${MAX_PATH_BYTES + 1}`, ['path']);
          }
          if (abstract && mode !== 0) report('Cannot set mode for Abstract AF_UNIX sockets', ['mode']);
          if (!abstract && path.includes('\0')) {
            report('UNIX domain socket pathname contains embedded null characters', ['path']);
          }
        },
      },
    ],
  },
);

export const SocketAddress = message(
  'core.SocketAddress',
  () => ({
    protocol: plain(enumeration('core.SocketAddress.Protocol', { TCP: 0, UDP: 1 }), 'Transport protocol.', {
      noEffect: 'what an address is for says which protocol is spoken',
    }),
    address: required(string({ minLength: 1 }), 'IP address; a host name for STRICT_DNS and LOGICAL_DNS clusters.'),
    port_value: optional(uint32({ max: 65535 }), 'Port.'),
    named_port: optional(string(), 'Name of a port, for resolvers that know names.'),
    resolver_name: plain(string(), 'Custom resolver of the address: proxy.ip, or none.'),
    ipv4_compat: plain(bool(), 'Bind an IPv6 wildcard to IPv4 as well.', {
      noEffect: 'no socket is bound',
    }),
  }),
  {
    doc: 'An address and a port.',
    oneOfs: [{ name: 'port_specifier', fields: ['port_value', 'named_port'], required: true }],
  },
);
export type SocketAddress = Output<typeof SocketAddress>;

/** core.Address */
export const Address = message(
  'core.Address',
  () => ({
    socket_address: optional(SocketAddress, 'An IP address or host name, and a port.'),
    pipe: optional(Pipe, 'A Unix domain socket.'),
  }),
  {
    doc: 'Where to connect to or to bind.',
    oneOfs: [{ name: 'address', fields: ['socket_address', 'pipe'], required: true }],
    hints: { url: 'it is v1; write socket_address: {address: 10.0.0.1, port_value: 80}' },
  },
);
export type Address = Output<typeof Address>;

/** What is wrong with an address where the proxy wants an IP, as the proxy words it; undefined if nothing is. */
export function ipProblem(address: Address): string | undefined {
  const socket = address.socketAddress;
  if (socket === undefined) return undefined;
  if (socket.resolverName !== '' && socket.resolverName !== 'proxy.ip' && socket.resolverName !== 'envoy.ip') {
    return `Unknown address resolver: ${socket.resolverName}`;
  }
  if (socket.portValue === undefined) return `named_port ${socket.namedPort ?? ''} needs a resolver; set port_value`;
  return parseIp(socket.address) === undefined ? `malformed IP address: ${socket.address}` : undefined;
}

export const TcpKeepalive = message(
  'core.TcpKeepalive',
  () => ({
    keepalive_probes: optional(uint32Value(), 'Probes without an answer before the connection is dead.'),
    keepalive_time: optional(uint32Value(), 'Seconds idle before the first probe.'),
    keepalive_interval: optional(uint32Value(), 'Seconds between probes.'),
  }),
  { doc: 'TCP keep-alive settings; what is absent is the operating system’s default.' },
);

export const SocketOption = message(
  'core.SocketOption',
  () => ({
    description: plain(string(), 'What the option is for.'),
    level: plain(int64(), 'Level, as of setsockopt.'),
    name: plain(int64(), 'Option, as of setsockopt.'),
    int_value: optional(int64(), 'Value as an int.'),
    buf_value: optional(bytes(), 'Value as bytes.'),
    state: plain(
      enumeration('core.SocketOption.SocketState', { STATE_PREBIND: 0, STATE_BOUND: 1, STATE_LISTENING: 2 }),
      'When the option is set.',
    ),
  }),
  {
    doc: 'A generic socket option.',
    oneOfs: [{ name: 'value', fields: ['int_value', 'buf_value'], required: true }],
  },
);

export const BindConfig = message(
  'core.BindConfig',
  () => ({
    source_address: required(SocketAddress, 'Address to bind to; port 0 is any.'),
    freebind: optional(boolValue(), 'Bind to an address that the machine does not have yet.'),
    socket_options: repeated(SocketOption, 'Further socket options.'),
  }),
  {
    doc: 'How to bind the source of new connections.',
    rules: [
      {
        name: 'ip-address',
        doc: 'The address is an IP address and a port, not a name.',
        reads: ['source_address'],
        check: ({ sourceAddress }, report) => {
          const problem = ipProblem({ socketAddress: sourceAddress });
          if (problem !== undefined) report(problem, ['source_address', 'address']);
        },
      },
    ],
  },
);

/** UpstreamBindConfig: an early form of {@link BindConfig}, which no field has any more. */
export const UpstreamBindConfig = message(
  'UpstreamBindConfig',
  () => ({ source_address: optional(Address, 'Address that upstream connections are bound to.') }),
  { doc: 'How upstream connections are bound; clusters have a core.BindConfig instead.' },
);

/** UpstreamConnectionOptions */
export const UpstreamConnectionOptions = message(
  'UpstreamConnectionOptions',
  () => ({ tcp_keepalive: optional(TcpKeepalive, 'When set, SO_KEEPALIVE is set on the socket.') }),
  { doc: 'Options for upstream connections.' },
);

/**
 * The one spelling of an address: `10.0.0.1:80`, `[2001:db8::1]:80`; a host name stays as it is (`backend.local:80`),
 * a pipe is its path.
 */
export function addressText(address: Address): string {
  const socket = address.socketAddress;
  if (socket === undefined) return address.pipe?.path ?? '';
  const ip = parseIp(socket.address);
  const port = socket.portValue ?? 0;
  if (ip === undefined) return `${socket.address}:${socket.namedPort ?? port}`;
  // IPv4 has one spelling.
  return ip.version === 4 ? `${socket.address}:${port}` : formatIpPort(ip, port);
}
