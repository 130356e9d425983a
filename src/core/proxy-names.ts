/** The one spelling of a header's name: lower case, and `x-envoy-` is written `x-proxy-`. */
export const requestHeader = (name: string): string => name.toLowerCase().replace(/^x-envoy-/, 'x-proxy-');

/** The canonical prefix of both families of names: `envoy.lb` and `proxy.lb` are `proxy.lb`. */
export const canonicalName = (name: string): string =>
  name.startsWith('envoy.') ? `proxy.${name.slice('envoy.'.length)}` : name;

/** Of an internal client, as those of a scenario are: it goes before the hedge policy of the route, both ways. */
export const HEDGE_HEADER = 'x-proxy-hedge-on-per-try-timeout';

/** The header that names the destination; `x-envoy-…` is read as the same header. */
export const ORIGINAL_DST_HEADER = 'x-proxy-original-dst-host';
