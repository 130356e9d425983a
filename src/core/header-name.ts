/** The one spelling of a header's name: lower case, and `x-envoy-` is written `x-proxy-`. */
export function requestHeader(name: string): string {
  return name.toLowerCase().replace(/^x-envoy-/, 'x-proxy-');
}
