/**
 * Where configuration comes from: files, management servers. The simulation gets assignments from the scenario instead,
 * so these are checked and have no effect.
 */
import type { Output } from './reader.js';
import { any } from './any.js';
import { DataSource, HeaderValue, oneLine } from './core.js';
import { message, optional, plain, reading, repeated, required } from './reader.js';
import { bool, doubleValue, duration, enumeration, string, struct, uint32Value, uint64 } from './reader/proto.js';
import { readerOf } from './reader/walk.js';

const Empty = message('google.protobuf.Empty', () => ({}), { doc: 'Nothing.' });

export const ApiVersion = enumeration('core.ApiVersion', { AUTO: 0, V2: 1, V3: 2 });

const ProxyGrpc = message(
  'core.GrpcService.ProxyGrpc',
  () => ({
    cluster_name: required(string({ minLength: 1 }), 'Cluster of the gRPC service.'),
    authority: plain(string({ maxBytes: 16384, pattern: oneLine('a host') }), 'Value of :authority.', {
      extension: 'since 1.17',
    }),
  }),
  { doc: 'The proxy’s own gRPC client.' },
);

const SslCredentials = message(
  'core.GrpcService.GoogleGrpc.SslCredentials',
  () => ({
    root_certs: optional(DataSource, 'Root certificates.'),
    private_key: optional(DataSource, 'Private key.'),
    cert_chain: optional(DataSource, 'Certificate chain.'),
  }),
  { doc: 'TLS credentials.' },
);

const ChannelCredentials = message(
  'core.GrpcService.GoogleGrpc.ChannelCredentials',
  () => ({
    ssl_credentials: optional(SslCredentials, 'TLS.'),
    google_default: optional(Empty, 'Application default credentials.'),
    local_credentials: optional(Empty, 'Local channel.'),
  }),
  {
    doc: 'Credentials of a channel.',
    oneOfs: [
      {
        name: 'credential_specifier',
        fields: ['ssl_credentials', 'google_default', 'local_credentials'],
        required: true,
      },
    ],
  },
);

const JwtAccess = message(
  'core.GrpcService.GoogleGrpc.CallCredentials.ServiceAccountJWTAccessCredentials',
  () => ({ json_key: plain(string(), 'Key.'), token_lifetime_seconds: plain(uint64(), 'Lifetime of tokens.') }),
  { doc: 'A service account.' },
);

const GoogleIam = message(
  'core.GrpcService.GoogleGrpc.CallCredentials.GoogleIAMCredentials',
  () => ({ authorization_token: plain(string(), 'Token.'), authority_selector: plain(string(), 'Selector.') }),
  { doc: 'IAM credentials.' },
);

const FromPlugin = message(
  'core.GrpcService.GoogleGrpc.CallCredentials.MetadataCredentialsFromPlugin',
  () => ({
    name: plain(string(), 'Name of the plugin.'),
    config: optional(struct(), 'Configuration of the plugin.', { deprecated: 'use typed_config' }),
    typed_config: optional(any({ types: {} }), 'Configuration of the plugin.'),
  }),
  { doc: 'Credentials of a plugin.', oneOfs: [{ name: 'config_type', fields: ['config', 'typed_config'] }] },
);

const StsService = message(
  'core.GrpcService.GoogleGrpc.CallCredentials.StsService',
  () => ({
    token_exchange_service_uri: plain(string(), 'URI of the token exchange service.'),
    resource: plain(string(), 'Resource.'),
    audience: plain(string(), 'Audience.'),
    scope: plain(string(), 'Scope.'),
    requested_token_type: plain(string(), 'Type of the requested token.'),
    subject_token_path: required(string({ minLength: 1 }), 'Path of the subject token.'),
    subject_token_type: required(string({ minLength: 1 }), 'Type of the subject token.'),
    actor_token_path: plain(string(), 'Path of the actor token.'),
    actor_token_type: plain(string(), 'Type of the actor token.'),
  }),
  { doc: 'Security token service.' },
);

const CallCredentials = message(
  'core.GrpcService.GoogleGrpc.CallCredentials',
  () => ({
    access_token: optional(string(), 'Access token.'),
    google_compute_engine: optional(Empty, 'Credentials of the machine.'),
    google_refresh_token: optional(string(), 'Refresh token.'),
    service_account_jwt_access: optional(JwtAccess, 'Service account.'),
    google_iam: optional(GoogleIam, 'IAM.'),
    from_plugin: optional(FromPlugin, 'Plugin.'),
    sts_service: optional(StsService, 'Security token service.'),
  }),
  {
    doc: 'Credentials of a call.',
    oneOfs: [
      {
        name: 'credential_specifier',
        fields: [
          'access_token',
          'google_compute_engine',
          'google_refresh_token',
          'service_account_jwt_access',
          'google_iam',
          'from_plugin',
          'sts_service',
        ],
        required: true,
      },
    ],
  },
);

const GoogleGrpc = message(
  'core.GrpcService.GoogleGrpc',
  () => ({
    target_uri: required(string({ minLength: 1 }), 'Target.'),
    channel_credentials: optional(ChannelCredentials, 'Credentials of the channel.'),
    call_credentials: repeated(CallCredentials, 'Credentials of calls.'),
    stat_prefix: required(string({ minLength: 1 }), 'Prefix of statistics.'),
    credentials_factory_name: plain(string(), 'Custom credentials.'),
    config: optional(struct(), 'Further configuration.'),
  }),
  { doc: 'The gRPC library’s client.' },
);

/** core.GrpcService */
export const GrpcService = message(
  'core.GrpcService',
  () => ({
    envoy_grpc: optional(ProxyGrpc, 'The proxy’s own client.'),
    proxy_grpc: optional(ProxyGrpc, 'Another name of envoy_grpc.'),
    google_grpc: optional(GoogleGrpc, 'The gRPC library’s client.'),
    timeout: optional(duration(), 'Timeout of a call.'),
    initial_metadata: repeated(HeaderValue, 'Metadata sent with each call.'),
  }),
  {
    doc: 'A gRPC service.',
    oneOfs: [{ name: 'target_specifier', fields: ['envoy_grpc', 'proxy_grpc', 'google_grpc'], required: true }],
  },
);

const RateLimitSettings = message(
  'core.RateLimitSettings',
  () => ({
    max_tokens: optional(uint32Value(), 'Default 100.'),
    fill_rate: optional(doubleValue({ above: 0 }), 'Tokens a second. Default 10.'),
  }),
  { doc: 'Limits requests to the management server.' },
);

/** core.ApiConfigSource */
export const ApiConfigSource = message(
  'core.ApiConfigSource',
  () => ({
    api_type: plain(
      enumeration('core.ApiConfigSource.ApiType', { UNSUPPORTED_REST_LEGACY: 0, REST: 1, GRPC: 2, DELTA_GRPC: 3 }),
      'How the server is asked: REST, GRPC or DELTA_GRPC.',
    ),
    transport_api_version: plain(ApiVersion, 'Version of the transport.'),
    cluster_names: repeated(string(), 'Clusters of REST servers.'),
    grpc_services: repeated(GrpcService, 'gRPC servers.'),
    refresh_delay: optional(duration(), 'Time between REST requests.'),
    request_timeout: optional(duration({ aboveNanos: 0 }), 'Timeout of a REST request. Default 1 s.'),
    rate_limit_settings: optional(RateLimitSettings, 'Limits requests.'),
    set_node_on_first_message_only: plain(bool(), 'Send the node only once a stream.'),
  }),
  {
    doc: 'A management server.',
    rules: [
      {
        name: 'api-config-source',
        doc: 'The servers suit api_type: cluster_names for REST, grpc_services for GRPC.',
        reads: ['api_type', 'cluster_names', 'grpc_services', 'refresh_delay'],
        check: ({ apiType, clusterNames, grpcServices, refreshDelay }, report) => {
          if (apiType === 'UNSUPPORTED_REST_LEGACY') {
            const text =
              'REST_LEGACY no longer a supported ApiConfigSource. Please specify an explicit supported api_type';
            report(`${text}: REST, GRPC or DELTA_GRPC`, ['api_type']);
            return;
          }
          const grpc = apiType === 'GRPC' || apiType === 'DELTA_GRPC';
          if (grpc && grpcServices.length === 0) report(`${apiType} needs grpc_services`);
          if (grpc && grpcServices.length > 1) {
            report('(DELTA_)GRPC must have a single gRPC service specified', ['grpc_services', 1]);
          }
          if (grpc && clusterNames.length > 0)
            report(`${apiType} takes grpc_services, not cluster_names`, ['cluster_names']);
          if (!grpc && clusterNames.length !== 1) report('REST needs exactly one of cluster_names', ['cluster_names']);
          if (!grpc && grpcServices.length > 0)
            report('REST takes cluster_names, not grpc_services', ['grpc_services']);
          if (!grpc && refreshDelay === undefined) report('REST needs refresh_delay', ['api_type']);
        },
      },
    ],
  },
);
export type ApiConfigSource = Output<typeof ApiConfigSource>;

const AggregatedConfigSource = message('core.AggregatedConfigSource', () => ({}), {
  doc: 'The aggregated discovery service.',
});

const SelfConfigSource = message(
  'core.SelfConfigSource',
  () => ({ transport_api_version: plain(ApiVersion, 'Version of the transport.') }),
  { doc: 'The server that this configuration came from.' },
);

const readPath = readerOf(string());

/** A path that the proxy watches. Simulated assignments come from elsewhere, so that its absence is no mistake here. */
const watchedPath = reading<string>('string', (node, walk) => {
  const path = readPath(node, walk);
  if (typeof path === 'string' && !walk.ofScenario && walk.fileExists?.(path) === false) {
    walk.report('warning', 'file', `${path}: there is no such file here; a proxy does not start without it`, node);
  }
  return path;
});

/** core.ConfigSource */
export const ConfigSource = message(
  'core.ConfigSource',
  () => ({
    path: optional(watchedPath, 'A file that is watched for changes.'),
    api_config_source: optional(ApiConfigSource, 'A management server.'),
    ads: optional(AggregatedConfigSource, 'The aggregated discovery service.'),
    self: optional(SelfConfigSource, 'The server that this configuration came from.'),
    initial_fetch_timeout: optional(duration(), 'How long initialisation waits for the first answer. Default 15 s.'),
    resource_api_version: plain(ApiVersion, 'Version of the resources.'),
  }),
  {
    doc: 'Where a resource comes from.',
    oneOfs: [{ name: 'config_source_specifier', fields: ['path', 'api_config_source', 'ads', 'self'], required: true }],
  },
);
export type ConfigSource = Output<typeof ConfigSource>;
