import { canonicalName, isProxyName } from './any.js';
import { didYouMean, type Rule, valid } from './reader.js';

/** An extension point, as far as rules need it. */
interface ExtensionPoint {
  readonly name: string;
  readonly config?: unknown;
  readonly typedConfig?: unknown;
}

/** Extensions of one kind: by name, whether an empty configuration is allowed. */
export type Extensions = ReadonlyMap<string, 'may be empty' | 'needs a configuration'>;

/**
 * Up to 1.17 an extension is found by its name where no `typed_config` has its type. In v3 only the type counts (seen with
 * a 1.40 and `{name: envoy.transport_sockets.raw_buffer}`).
 */
export function extensionByName(what: string, known: Extensions): Rule<ExtensionPoint> {
  const names = [...known.keys()];
  return {
    name: 'extension-config',
    doc: `Without typed_config the name tells the type, so it is one of ${names.join(', ')}.`,
    reads: ['name', 'config', 'typed_config'],
    check: ({ name, config, typedConfig }, report, _has, api) => {
      if (typedConfig !== undefined) return;
      if (api === 'v3') {
        const text = `Didn't find a registered implementation for '${name}' with type URL: ''`;
        report(`${text}; in v3 an extension is found by the type of its typed_config`, ['name']);
        return;
      }
      const found = known.get(canonicalName(name));
      if (found === undefined) {
        const text = `Didn't find a registered implementation for name: '${name}'${didYouMean(name, names)}`;
        report(`${text}; known are ${names.join(', ')}`, ['name']);
      } else if (found === 'needs a configuration' && config === undefined) {
        report(`${what} ${name} has fields that must be set, and no typed_config`, ['name']);
      }
    },
  };
}

/** The name of an extension must be one of the proxy's. */
export function proxyName(what: string): Rule<Pick<ExtensionPoint, 'name'>> {
  return valid('extension-name', 'name', 'The name is one the proxy knows.', (name: string) =>
    isProxyName(name) ? undefined : `${name} is not a ${what} that the proxy knows`,
  );
}
