/**
 * Transport sockets and TLS. Bytes are not simulated, so these are checked and have no effect.
 */
import { any } from './any.js';
import { ConfigSource } from './config-source.js';
import { DataSource } from './core.js';
import { extensionByName } from './extension.js';
import type { Extensions } from './extension.js';
import { StringMatcher } from './matcher.js';
import { defaulted, listOf, message, optional, plain, repeated, required } from './reader.js';
import type { Output } from './reader.js';
import { bool, boolValue, enumeration, string, struct, uint32Value } from './reader/proto.js';

const TlsProtocol = enumeration('auth.TlsParameters.TlsProtocol', {
  TLS_AUTO: 0,
  TLSv1_0: 1,
  TLSv1_1: 2,
  TLSv1_2: 3,
  TLSv1_3: 4,
});

const TlsParameters = message(
  'auth.TlsParameters',
  () => ({
    tls_minimum_protocol_version: plain(TlsProtocol, 'Oldest version. Default TLS 1.2 for clients.'),
    tls_maximum_protocol_version: plain(TlsProtocol, 'Newest version. Default TLS 1.2 for clients.'),
    cipher_suites: repeated(string(), 'Ciphers of TLS 1.0–1.2.'),
    ecdh_curves: repeated(string(), 'Curves.'),
  }),
  { doc: 'TLS versions and ciphers.' },
);

const PrivateKeyProvider = message(
  'auth.PrivateKeyProvider',
  () => ({
    provider_name: required(string({ minLength: 1 }), 'Name of the provider.'),
    config: optional(struct(), 'Configuration of the provider.', { deprecated: 'use typed_config' }),
    typed_config: optional(any({ types: {} }), 'Configuration of the provider.'),
  }),
  { doc: 'Signs with a key held elsewhere.', oneOfs: [{ name: 'config_type', fields: ['config', 'typed_config'] }] },
);

const TlsCertificate = message(
  'auth.TlsCertificate',
  () => ({
    certificate_chain: optional(DataSource, 'Certificate chain.'),
    private_key: optional(DataSource, 'Private key.'),
    private_key_provider: optional(PrivateKeyProvider, 'Provider of the private key.'),
    password: optional(DataSource, 'Password of the private key.'),
    ocsp_staple: optional(DataSource, 'OCSP response.'),
    signed_certificate_timestamp: repeated(DataSource, 'Signed certificate timestamps.'),
  }),
  { doc: 'A certificate and its key.' },
);

const SdsSecretConfig = message(
  'auth.SdsSecretConfig',
  () => ({
    name: required(string({ minLength: 1 }), 'Name of the secret.'),
    sds_config: optional(ConfigSource, 'Where the secret comes from.'),
  }),
  { doc: 'A secret from discovery.' },
);

const PEM_CERTIFICATE = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[\s\S]+?-----END /;

const CertificateValidationContext = message(
  'auth.CertificateValidationContext',
  () => ({
    trusted_ca: optional(DataSource, 'Certificates of authorities.'),
    verify_certificate_spki: repeated(string({ minBytes: 44, maxBytes: 44 }), 'Base64 SHA-256 of public keys.'),
    verify_certificate_hash: repeated(string({ minBytes: 64, maxBytes: 95 }), 'Hex SHA-256 of certificates.'),
    verify_subject_alt_name: repeated(string(), 'Accepted names.', { deprecated: 'use match_subject_alt_names' }),
    match_subject_alt_names: repeated(StringMatcher, 'Accepted names.'),
    require_ocsp_staple: optional(boolValue(), 'Needs an OCSP response.'),
    require_signed_certificate_timestamp: optional(boolValue(), 'Needs a signed timestamp.'),
    crl: optional(DataSource, 'Revocation list.'),
    allow_expired_certificate: plain(bool(), 'Take expired certificates.'),
    trust_chain_verification: plain(
      enumeration('auth.CertificateValidationContext.TrustChainVerification', {
        VERIFY_TRUST_CHAIN: 0,
        ACCEPT_UNTRUSTED: 1,
      }),
      'Whether the chain is verified.',
    ),
  }),
  {
    doc: 'How the peer’s certificate is verified.',
    rules: [
      {
        name: 'certificate',
        doc: 'The certificates can be read.',
        reads: ['trusted_ca'],
        check: ({ trustedCa }, report) => {
          const text = trustedCa?.inlineString;
          if (text !== undefined && !PEM_CERTIFICATE.test(text)) {
            report('Failed to load trusted CA certificates from <inline>: not a PEM certificate', ['trusted_ca']);
          }
        },
      },
    ],
  },
);

const CombinedValidationContext = message(
  'auth.CommonTlsContext.CombinedCertificateValidationContext',
  () => ({
    default_validation_context: required(CertificateValidationContext, 'What discovery is merged into.'),
    validation_context_sds_secret_config: required(SdsSecretConfig, 'The part from discovery.'),
  }),
  { doc: 'Verification partly from discovery.' },
);

const CommonTlsContext = message(
  'auth.CommonTlsContext',
  () => ({
    tls_params: optional(TlsParameters, 'Versions and ciphers.'),
    tls_certificates: repeated(TlsCertificate, 'Own certificates.'),
    tls_certificate_sds_secret_configs: defaulted(
      listOf(SdsSecretConfig, { max: 1, words: 'takes at most one' }),
      [],
      'Own certificate from discovery.',
    ),
    validation_context: optional(CertificateValidationContext, 'How the peer is verified.'),
    validation_context_sds_secret_config: optional(SdsSecretConfig, 'Verification from discovery.'),
    combined_validation_context: optional(CombinedValidationContext, 'Verification partly from discovery.'),
    alpn_protocols: repeated(string(), 'Application protocols offered.'),
  }),
  {
    doc: 'TLS settings of both sides.',
    oneOfs: [
      {
        name: 'validation_context_type',
        fields: ['validation_context', 'validation_context_sds_secret_config', 'combined_validation_context'],
      },
    ],
  },
);

/** auth.UpstreamTlsContext */
export const UpstreamTlsContext = message(
  'auth.UpstreamTlsContext',
  () => ({
    common_tls_context: optional(CommonTlsContext, 'Certificates, versions, verification.'),
    sni: plain(string({ maxBytes: 255 }), 'Server name sent to the host.'),
    allow_renegotiation: plain(bool(), 'Allow the server to renegotiate.'),
    max_session_keys: optional(uint32Value(), 'Sessions kept for resumption. Default 1; 0 disables it.'),
  }),
  { doc: 'TLS of upstream connections.' },
);

const RawBuffer = message('config.transport_socket.raw_buffer.v2.RawBuffer', () => ({}), { doc: 'Plain text.' });

const socketTypes = {
  'auth.UpstreamTlsContext': UpstreamTlsContext,
  'extensions.transport_sockets.tls.v3.UpstreamTlsContext': UpstreamTlsContext,
  'config.transport_socket.raw_buffer.v2.RawBuffer': RawBuffer,
  'extensions.transport_sockets.raw_buffer.v3.RawBuffer': RawBuffer,
};

const SOCKETS: Extensions = new Map([
  ['proxy.transport_sockets.raw_buffer', 'may be empty'],
  ['proxy.transport_sockets.tls', 'may be empty'],
  ['proxy.transport_sockets.alts', 'needs a configuration'],
  ['proxy.transport_sockets.tap', 'needs a configuration'],
  ['proxy.transport_sockets.quic', 'needs a configuration'],
  ['proxy.transport_sockets.upstream_proxy_protocol', 'needs a configuration'],
  ['raw_buffer', 'may be empty'],
  ['tls', 'may be empty'],
]);

/** core.TransportSocket */
export const TransportSocket = message(
  'core.TransportSocket',
  () => ({
    name: required(string({ minLength: 1 }), 'Name of the implementation, for example proxy.transport_sockets.tls.'),
    config: optional(struct(), 'Configuration of the implementation.', { deprecated: 'use typed_config' }),
    typed_config: optional(any({ types: socketTypes }), 'Configuration of the implementation.'),
  }),
  {
    doc: 'How bytes are sent: plain or encrypted.',
    oneOfs: [{ name: 'config_type', fields: ['config', 'typed_config'] }],
    rules: [extensionByName('transport socket', SOCKETS)],
  },
);
export type TransportSocket = Output<typeof TransportSocket>;

/** Cluster.TransportSocketMatch */
export const TransportSocketMatch = message(
  'Cluster.TransportSocketMatch',
  () => ({
    name: required(string({ minLength: 1 }), 'Name of the match, used in statistics.'),
    match: optional(struct(), 'What the endpoint’s metadata under proxy.transport_socket_match must have.'),
    transport_socket: required(TransportSocket, 'Used where it matches.', { noEffect: 'TLS is not simulated' }),
  }),
  { doc: 'A transport socket for some of the endpoints.' },
);
