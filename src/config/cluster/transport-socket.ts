/** Rules of transport sockets and TLS, which have no effect on the simulation. */
import { type DataSource, REDACTED } from '../core.js';
import { extensionPoint } from '../extension.js';
import { KNOWN_NAMES } from '../generated/known-names.js';
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

extensionPoint('core.TransportSocket', 'transport socket', KNOWN_NAMES.transport_sockets);
