import type { Messages } from './api/generated/read-messages.js';
import { message, rule, withPlaceholder } from './reader.js';
import { formatIpPort, parseIp } from '../core/ip.js';
import { utf8Length } from './reader/proto/strings.js';

/** One byte of the system's 108 ends the path. */
const MAX_PATH_BYTES = 107;

message(
  'core.Pipe',
  rule('pipe', ['path', 'mode'], ({ path, mode }, report) => {
    const abstract = path.startsWith('@');
    if (utf8Length(path) > MAX_PATH_BYTES)
      report(`Path "${path}" exceeds maximum UNIX domain socket path size of ${MAX_PATH_BYTES + 1}`, ['path']);
    if (abstract && mode !== 0) report('Cannot set mode for Abstract AF_UNIX sockets', ['mode']);
    if (!abstract && path.includes('\0'))
      report('UNIX domain socket pathname contains embedded null characters', ['path']);
  }),
);

export const Address = message('core.Address');
export type Address = Messages['core.Address'];

/** The proxy's message about an address that is not an IP where one is required; undefined if it is. */
export function ipProblem(address: Address): string | undefined {
  const socket = address.socketAddress;
  if (socket === undefined) return undefined;
  if (socket.resolverName !== '' && socket.resolverName !== 'proxy.ip' && socket.resolverName !== 'envoy.ip')
    return `Unknown address resolver: ${socket.resolverName}`;
  if (socket.portValue === undefined) return `named_port ${socket.namedPort ?? ''} needs a resolver; set port_value`;
  if (parseIp(socket.address) !== undefined) return undefined;
  return `malformed IP address: ${withPlaceholder(socket.address, socket.address)}`;
}

message(
  'core.BindConfig',
  rule('ip-address', ['source_address'], ({ sourceAddress }, report) => {
    const problem = sourceAddress === undefined ? undefined : ipProblem({ socketAddress: sourceAddress });
    if (problem !== undefined) report(problem, ['source_address', 'address']);
  }),
);

/** The one spelling of an address: `10.0.0.1:80`, `[2001:db8::1]:80`, `backend.local:80`; a pipe is its path. */
export function addressText(address: Address): string {
  const socket = address.socketAddress;
  if (socket === undefined) {
    const internal = address.envoyInternalAddress;
    return internal === undefined
      ? (address.pipe?.path ?? '')
      : `envoy://${internal.serverListenerName}/${internal.endpointId}`;
  }
  const port = socket.portValue ?? 0;
  if (!socket.address.includes(':') && socket.namedPort === undefined) return `${socket.address}:${port}`;
  const ip = parseIp(socket.address);
  if (ip === undefined) return `${socket.address}:${socket.namedPort ?? port}`;
  // IPv4 has one spelling.
  return ip.version === 4 ? `${socket.address}:${port}` : formatIpPort(ip, port);
}
