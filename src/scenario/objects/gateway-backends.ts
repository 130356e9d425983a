import type { Setting } from './gateway-clusters.js';
import type { Part } from './part.js';
import { type Endpoint, type KubeObject, Services } from './services.js';

/** The backends that rules refer to. */
export class Backends extends Services {
  constructor(
    objects: readonly KubeObject[],
    private readonly proxy: Part,
  ) {
    super(objects);
  }

  /** Those of a rule that get requests, by their place in it. */
  all(refs: readonly Part[], route: KubeObject, name: string, policy: Part): readonly Setting[] {
    return refs
      .map((ref, index) => this.one(ref, route, `${name}/backend/${index}`, policy))
      .filter(({ weight }) => weight > 0);
  }

  one(ref: Part, route: KubeObject, name: string, policy: Part): Setting {
    const [kind, namespace, target] = [ref.text('kind') || 'Service', ref.text('namespace'), ref.text('name')];
    const filters = ref.items('filters');
    const invalid: Setting = {
      ...{ name, span: ref.span, weight: ref.number('weight') ?? 1, endpoints: [] },
      ...{ isHttp2: route.kind === 'GRPCRoute', hasFilters: filters.length > 0 },
    };
    const isElsewhere = namespace !== '' && namespace !== route.namespace;
    if (isElsewhere && !this.isGranted(route, kind, namespace, target)) return invalid;
    if (filters.some((one) => this.isMissing(one, route))) return invalid;
    if (!['Service', 'Backend'].includes(kind)) ref.refuse('otherBackend', { kind });
    const found = this.find(kind, namespace || route.namespace, target);
    if (found === undefined) return invalid;
    if (kind === 'Backend') return backendOf(found, invalid, route);
    const routing = policy.text('routingType') || this.proxy.text('routingType');
    return this.serviceOf(found, ref, invalid, route, routing === 'Service');
  }

  /** Whether a filter refers to an object that is not there. */
  private isMissing(filter: Part, { namespace }: KubeObject): boolean {
    const isExternal = filter.text('type') === 'ExtensionRef';
    return isExternal && this.find('HTTPRouteFilter', namespace, filter.text('extensionRef.name')) === undefined;
  }

  private isGranted({ kind, namespace }: KubeObject, to: string, target: string, name: string): boolean {
    return this.objects.some(({ kind: own, namespace: where, spec }) => {
      if (own !== 'ReferenceGrant' || where !== target) return false;
      const from = spec.items('from').some((one) => one.text('kind') === kind && one.text('namespace') === namespace);
      return from && spec.items('to').some((one) => one.text('kind') === to && [name, ''].includes(one.text('name')));
    });
  }

  /** @param byAddress the service's own address is the host, where it has one. */
  private serviceOf(service: KubeObject, ref: Part, invalid: Setting, route: KubeObject, byAddress: boolean): Setting {
    const { spec, annotations, title } = service;
    const number = ref.number('port');
    const port = spec.items('ports').find((one) => one.number('port') === number);
    const protocol = port?.text('protocol') || 'TCP';
    const isFor = (route.kind === 'UDPRoute') === (protocol === 'UDP');
    if (port === undefined || !isFor || spec.text('type') === 'ExternalName') return invalid;
    const speaksHttp2 = ['kubernetes.io/h2c', 'grpc'].includes(port.text('appProtocol'));
    const isAuto = annotations['service.kubernetes.io/topology-mode']?.toLowerCase() === 'auto';
    const address = spec.text('clusterIP');
    const isOne = byAddress && address !== 'None';
    return {
      ...{ ...invalid, type: 'ip' },
      isHttp2: invalid.isHttp2 || (route.kind === 'HTTPRoute' && speaksHttp2),
      preferredFrom: spec.has('trafficDistribution') ? 1 : isAuto ? 3 : undefined,
      endpoints: isOne
        ? [{ span: title.span, address, port: number ?? 0 }]
        : this.endpoints(service, port.text('name'), protocol),
    };
  }
}

function backendOf({ spec, title, name }: KubeObject, invalid: Setting, route: KubeObject): Setting {
  const isHttp2 = route.kind === 'HTTPRoute' && spec.texts('appProtocols').includes('gateway.envoyproxy.io/h2c');
  const base = { ...invalid, isHttp2: invalid.isHttp2 || isHttp2, isFallback: spec.isTrue('fallback') };
  if (spec.text('type') === 'DynamicResolver') title.refuse('dynamicHosts', { name });
  const written = spec.items('endpoints');
  const names = written.filter((one) => one.has('fqdn')).length;
  // Sockets are not for routes.
  if ((names > 0 && names < written.length) || written.some((one) => one.has('unix'))) return base;
  const endpoints = written.map((one): Endpoint => {
    const at = one.at(names > 0 ? 'fqdn' : 'ip');
    const address = at.text(names > 0 ? 'hostname' : 'address');
    return { span: one.span, address, port: at.at('port').node ?? 0, zone: one.text('zone') };
  });
  return { ...base, endpoints, type: names > 0 ? 'name' : 'ip' };
}
