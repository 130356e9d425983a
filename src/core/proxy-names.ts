/** The one spelling of a header's name: lower case, and `x-envoy-` is written `x-proxy-`. */
export const requestHeader = (name: string): string => name.toLowerCase().replace(/^x-envoy-/, 'x-proxy-');

/** The canonical prefix of both families of names: `envoy.lb` and `proxy.lb` are `proxy.lb`. */
export const canonicalName = (name: string): string =>
  name.startsWith('envoy.') ? `proxy.${name.slice('envoy.'.length)}` : name;
