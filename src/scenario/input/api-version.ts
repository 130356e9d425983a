import { camel, spellings, type SourceNode, type MapEntry } from '../../config/reader.js';
import { hasField } from '../../config/source/trees.js';
import type { ApiVersion } from '../../config/api/api.js';
import { TELLING_FIELDS } from '../../config/api/generated/telling-fields.js';
import { FORMS } from './generated/forms.js';

export const API_VERSIONS = ['v2', 'v3'] as const satisfies readonly ApiVersion[];

/** This many nodes of a file are enough to detect its API: in a dump every resource names its type. */
const MAX_NODES = 20_000;

/** And the list of policies, which v2 knows only to refuse it. */
const NEWER = telling(...TELLING_FIELDS.newer, ...TELLING_FIELDS.bootstrap, 'load_balancing_policy');

/** Of a proxy's own configuration. A scenario may use some of them in clusters of v2. */
const NEWER_OF_BOOTSTRAP = new Map([...NEWER, ...telling(...TELLING_FIELDS.extended)]);

const OLDER = telling(...TELLING_FIELDS.older);

/** Filters and sockets as v2 names them: `envoy.router`. */
const OLD_NAME = /^envoy\.[a-z_0-9]+$/;

/** What only v2 has, in words that other messages have as well. */
function oldSignOf(entries: readonly MapEntry[], { key, value }: MapEntry): string | undefined {
  const has = (name: string): boolean => entries.some((entry) => entry.key === name || entry.key === camel(name));
  const isNamed = key === 'name' && value.kind === 'scalar' && OLD_NAME.test(value.text);
  if (isNamed && (has('config') || has('typed_config'))) return `name ${value.text}`;
  if (key === 'hosts' && value.kind !== 'scalar' && has('name') && (has('connect_timeout') || has('type')))
    return 'field hosts';
  if (key === 'config' && has('name') && !has('typed_config')) return 'field config';
  if (key === 'runtime' && has('static_resources')) return 'field runtime';
  if (key === 'lb_policy' && value.kind === 'scalar' && value.text === 'ORIGINAL_DST_LB')
    return 'lb_policy: ORIGINAL_DST_LB';
  const isOfCluster = key === 'tls_context' || key === 'tlsContext';
  return isOfCluster && (has('connect_timeout') || has('filter_chain_match')) ? `field ${key}` : undefined;
}

function telling(...names: readonly string[]): ReadonlyMap<string, string> {
  // A field of one word may be a name of a user.
  return spellings(names.filter((name) => name.includes('_')));
}

const FREE = spellings(FORMS.free);

/** `resource_api_version: V3` */
const VERSION_FIELDS = spellings(['resource_api_version', 'transport_api_version']);

export interface ApiEvidence {
  readonly version: ApiVersion;
  /** `type envoy.config.cluster.v3.Cluster` */
  readonly by: string;
}

/**
 * The API of a document's messages, as their types and fields show; undefined: it may be either.
 * @param isScenario fields of v2 say nothing: a scenario is in v2 unless something says v3.
 */
export function apiVersionOf(root: SourceNode, isScenario: boolean): ApiEvidence | undefined {
  const field = root.kind === 'map' ? root.entries.find(({ key }) => key === 'api')?.value : undefined;
  const own = field?.kind === 'scalar' ? API_VERSIONS.find((version) => version === field.text) : undefined;
  if (own !== undefined) return { version: own, by: `api: ${own}` };
  const found = { v2: { count: 0, by: '' }, v3: { count: 0, by: '' } };
  const count = (version: ApiVersion, by: string): void => {
    const one = found[version];
    one.count += 1;
    if (one.count === 1) one.by = by;
  };
  let left = MAX_NODES;
  const fields = root.kind === 'map' && hasField(root, 'static_resources') ? NEWER_OF_BOOTSTRAP : NEWER;
  const open = [{ node: root, isFree: false }];
  for (let place = open.pop(); place !== undefined && left > 0; place = open.pop()) {
    const { node, isFree } = place;
    left -= 1;
    // From the top: the evidence named is the first that a reader finds.
    if (node.kind === 'list') for (const item of node.items.toReversed()) open.push({ node: item, isFree });
    if (node.kind !== 'map') continue;
    for (const { key, value } of node.entries.toReversed())
      if (value.kind !== 'scalar') open.push({ node: value, isFree: isFree || FREE.has(key) });
    for (const entry of node.entries) {
      const { key, value } = entry;
      if (!isFree && !isScenario) {
        const sign = OLDER.has(key) ? `field ${key}` : oldSignOf(node.entries, entry);
        if (sign !== undefined) count('v2', sign);
      }
      if (!isFree && fields.has(key)) count('v3', `field ${key}`);
      if (value.kind !== 'scalar') continue;
      if (/^v3$/i.test(value.text) && VERSION_FIELDS.has(key)) count('v3', `${key}: V3`);
      else if (key === '@type' || key === 'type_url' || key === 'typeUrl') {
        const type = value.text.slice(value.text.lastIndexOf('/') + 1);
        // The pages of a simulated proxy are those of v3, whatever its clusters are written in.
        if (/^(?:envoy|proxy(?!\.admin))\.[\w.]+\.v3\./.test(type)) count('v3', `type ${type}`);
        else if (/^(?:envoy|proxy)\.(?:api\.v2|[\w.]+\.v2(?:alpha\d*)?)\./.test(type)) count('v2', `type ${type}`);
      } else if (value.text === 'V4_PREFERRED') count('v3', `${key}: V4_PREFERRED`);
    }
  }
  if (found.v2.count + found.v3.count === 0) return undefined;
  const version = found.v3.count > found.v2.count ? 'v3' : 'v2';
  return { version, by: found[version].by };
}
