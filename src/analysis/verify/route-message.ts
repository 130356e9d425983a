import { encode } from '../../config/write.js';
import { HashPolicy, HeaderMatcher } from '../../config/route/route.js';
import { isList, isStruct, type JsonValue, type Struct } from '../../core/values.js';
import { KEY_HEADER } from '../../hostset/request-hash.js';
import { parseDuration } from '../../scenario/fields/units.js';
import { requestFields } from '../../scenario/import/request-fields.js';
import { microsToSeconds } from '../../core/units.js';
import type { RequestSpec, RouteCluster } from '../../settings/world.js';

/** What the filter of a TCP proxy has, v3. */
export function tcpAction(
  { tcp, timeoutUs, hashPolicy, metadataMatch }: RequestSpec,
  route: readonly RouteCluster[],
): Struct {
  const longest = timeoutUs === 0 ? {} : { max_downstream_connection_duration: secondsText(timeoutUs) };
  return {
    ...clustersOf(route, metadataMatch),
    ...longest,
    max_connect_attempts: tcp?.maxConnectAttempts ?? 1,
    ...(hashPolicy?.some(({ byAddress }) => byAddress === true) === true && { hash_policy: [{ source_ip: {} }] }),
  };
}

/** The cluster, or several by weight. @param choice what else chooses among them. */
function clustersOf(route: readonly RouteCluster[], match: Struct | undefined, choice: object = {}) {
  const matching = (criteria = match): Struct =>
    criteria === undefined ? {} : { metadata_match: { filter_metadata: { 'envoy.lb': criteria } } };
  const [only, ...more] = route;
  if (more.length === 0) return { cluster: only?.cluster ?? '', ...matching(only?.metadataMatch) };
  const clusters = route.map(({ cluster: name, weight, ...own }) => ({ name, weight, ...matching(own.metadataMatch) }));
  return { weighted_clusters: { clusters, ...choice } };
}

/** The action of a real proxy's route, v3. @param hashesKey without a `hash_policy` it hashes the key. */
export function routeAction(spec: RequestSpec, route: readonly RouteCluster[], hashesKey: boolean): Struct {
  const { hashPolicy, metadataMatch, retryPolicy, timeoutUs, headerName } = spec;
  const { use_hash_policy: byHash, runtime_key_prefix: prefix, retry_policy: retries, ...fields } = requestFields(spec);
  const choice = { use_hash_policy: byHash, header_name: headerName, runtime_key_prefix: prefix };
  const keyed = hashesKey ? [{ header: { header_name: KEY_HEADER } }] : undefined;
  const message = {
    ...fields,
    ...clustersOf(route, metadataMatch, choice),
    timeout: secondsText(timeoutUs),
    hash_policy: hashPolicy?.map(({ written }) => encode(HashPolicy, written, 'v3')) ?? keyed,
    ...(retryPolicy && {
      retry_policy: {
        ...(retries as Struct),
        retriable_headers: retryPolicy.retriableHeaders.map((one) => encode(HeaderMatcher, one, 'v3')),
        retriable_request_headers: retryPolicy.retriableRequestHeaders.map((one) => encode(HeaderMatcher, one, 'v3')),
      },
    }),
  };
  return inProxyWords(JSON.parse(JSON.stringify(message)) as Struct) as Struct;
}

const secondsText = (us: number): string => `${microsToSeconds(us)}s`;

const RETRY = 'type.googleapis.com/envoy.extensions.retry.';
/** Types of the options of extensions, by the ends of their names. */
const OPTIONS: Readonly<Record<string, string>> = {
  previous_hosts: `${RETRY}host.previous_hosts.v3.PreviousHostsPredicate`,
  omit_canary_hosts: `${RETRY}host.omit_canary_hosts.v3.OmitCanaryHostsPredicate`,
  omit_host_metadata: `${RETRY}host.omit_host_metadata.v3.OmitHostMetadataConfig`,
  previous_priorities: `${RETRY}priority.previous_priorities.v3.PreviousPrioritiesConfig`,
};

/** Names and durations as the proxy has them, and extensions by their types. */
function inProxyWords(value: JsonValue): JsonValue {
  if (isList(value)) return value.map(inProxyWords);
  const { name, config } = isStruct(value) ? value : { name: value };
  const type = typeof name === 'string' ? OPTIONS[/^proxy\.retry_\w+\.(\w+)$/.exec(name)?.[1] ?? ''] : undefined;
  if (type !== undefined) {
    const { metadata_match: match, ...options } = config !== undefined && isStruct(config) ? config : {};
    const filters = match === undefined ? {} : { metadata_match: { filter_metadata: { 'envoy.lb': match } } };
    return { name: name ?? '', typed_config: { '@type': type, ...options, ...filters } };
  }
  if (!isStruct(value)) return typeof value === 'string' ? value.replace(/^x-proxy-/, 'x-envoy-') : value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const duration = /(timeout|interval)$/.test(key) && typeof item === 'string' ? parseDuration(item) : undefined;
      return [key, duration?.ok === true ? secondsText(duration.value) : inProxyWords(item)];
    }),
  );
}
