import { canonicalName } from '../core/proxy-names.js';
import { isProxyName, didYouMean, message, rule, type Rule } from './reader.js';

/**
 * A message that says which extension of a kind is used. Up to 1.17 it is found by its name where no `typed_config` has its
 * type. In v3 only the type counts, see `reader/extension-points.ts`.
 * @param known the extensions; behind `!` those that need a configuration.
 */
export function extensionPoint(
  point: 'core.TransportSocket' | 'route.RetryPolicy.RetryPriority' | 'route.RetryPolicy.RetryHostPredicate',
  what: string,
  known: readonly string[],
): void {
  const names = known.map((name) => name.replace('!', ''));
  message(point, {
    name: 'extension-config',
    doc: `Without typed_config the name tells the type, so it is one of ${names.join(', ')}.`,
    reads: ['name', 'config', 'typed_config'],
    check: ({ name, config, typedConfig }, report, _has, api) => {
      if (typedConfig !== undefined || api === 'v3') return;
      if (!names.includes(canonicalName(name))) {
        const text = `Didn't find a registered implementation for name: '${name}'${didYouMean(name, names)}`;
        report(`${text}; known are ${names.join(', ')}`, ['name']);
      } else if (config === undefined && known.includes(`!${canonicalName(name)}`)) {
        report(`${what} ${name} has fields that must be set, and no typed_config`, ['name']);
      }
    },
  });
}

/** The name of an extension must be one of the proxy's, where it finds extensions by their names. */
export const proxyName = (what: string): Rule<{ readonly name: string }> =>
  rule('extension-name', ['name'], ({ name }, report, _has, api) => {
    if (api === 'v2' && !isProxyName(name)) report(`${name} is not a ${what} that the proxy knows`, ['name']);
  });
