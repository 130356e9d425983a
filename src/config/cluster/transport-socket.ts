/** Rules of transport sockets and TLS, which have no effect on the simulation. */
import { type DataSource, REDACTED } from '../core.js';
import { extensionPoint } from '../extension.js';
import { message, valid } from '../reader.js';

const PEM_CERTIFICATE = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[\s\S]+?-----END /;

message(
  'auth.CertificateValidationContext',
  valid('certificate', 'trusted_ca', 'The certificates can be read.', ({ inlineString: text }: DataSource) =>
    text === undefined || text === REDACTED || PEM_CERTIFICATE.test(text)
      ? undefined
      : 'Failed to load trusted CA certificates from <inline>: not a PEM certificate',
  ),
);

extensionPoint(
  'core.TransportSocket',
  'transport socket',
  new Map([
    ['proxy.transport_sockets.raw_buffer', 'may be empty'],
    ['proxy.transport_sockets.tls', 'may be empty'],
    ['proxy.transport_sockets.alts', 'needs a configuration'],
    ['proxy.transport_sockets.tap', 'needs a configuration'],
    ['proxy.transport_sockets.quic', 'needs a configuration'],
    ['proxy.transport_sockets.upstream_proxy_protocol', 'needs a configuration'],
    ['raw_buffer', 'may be empty'],
    ['tls', 'may be empty'],
  ]),
);
