import { PROXY_VERSIONS } from '../../index.js';
import { app, drawnHost, shownS } from '../app-state.js';
import type { Hosts } from '../engine/levers.js';
import type { ClusterPicture, RunPicture } from '../engine/draw-picture.js';
import { hostId } from '../../result/phases.js';
import { type HostPicture, kindOf } from '../engine/picture.js';
import { clusterOf, hostInWords } from '../instant.js';
import { modulesOf } from '../link.js';
import { percent, visible } from '../number-format.js';
import * as session from '../session.js';
import type { FlowNode } from './flow-layout.js';
import type { MenuItem } from './menu.js';

/** What one may change where it is drawn, as menus of the picture. Each change is a line of the scenario. */

const LOADS = [0.1, 0.5, 2, 5, 10];
const WEIGHTS = [1, 2, 3, 5, 10, 50, 100];

export function hostMenu(host: HostPicture): readonly MenuItem[] {
  const drawn = drawnHost(hostId(host));
  if (drawn === undefined) return [];
  const { address, zone, cluster, instant, place, isOut, isSlow, slowedBy } = drawn;
  const share = percent(instant.shares[place] ?? NaN);
  const says = hostInWords(instant.phase, place);
  const locality = cluster.localities.find(({ name }) => name === zone);
  return [
    { heading: [visible(address, 60), share, ...(says === '' ? [] : [says])].join(' · ') },
    aliveItem({ address }, isOut ? 'revive' : 'kill'),
    ...(isSlow && slowedBy.length === 0
      ? []
      : [{ name: isSlow ? 'As fast as before' : 'Slow', act: () => session.slowChosen() }]),
    {
      row: 'Weight',
      choices: WEIGHTS.map((weight) => [String(weight), () => session.weigh(address, weight)] as const),
    },
    ...(cluster.localities.length > 1 && locality !== undefined
      ? aliveItems({ cluster: cluster.name, locality: locality.parts }, ` ${placeName(locality)}`)
      : []),
    { name: 'Why does it get this?', act: () => app.set({ tab: 'Decision' }) },
  ];
}

const placeName = ({ name, parts }: ClusterPicture['localities'][number]): string =>
  `${kindOf(parts)} ${visible(name, 40)}`;

const aliveItem = (hosts: Hosts, kind: 'kill' | 'revive', place = ''): MenuItem => ({
  name: `${kind === 'kill' ? 'Kill' : 'Revive'}${place}`,
  act: () => void session.pull({ kind, atS: shownS(), hosts }),
});

const aliveItems = (hosts: Hosts, place = ''): readonly MenuItem[] =>
  (['kill', 'revive'] as const).map((kind) => aliveItem(hosts, kind, place));

export function nodeMenu(node: Pick<FlowNode, 'kind' | 'title' | 'zone'>): readonly MenuItem[] {
  // What is seen now: the prediction after a lever, else the run.
  const cluster = clusterOf(app.now.ahead ?? app.now.run, app.now.cluster);
  const { run } = app.now;
  if (cluster === undefined || run === undefined) return [];
  const { name } = cluster;
  switch (node.kind) {
    case 'clients':
      return loadItems(run, name);
    case 'proxies':
      return [
        { heading: `Policy of ${visible(name, 60)}` },
        ...policyItems(run, cluster, (policy) => void session.pull({ kind: 'policy', cluster: name, policy })),
      ];
    case 'zone': {
      const locality = cluster.localities.find((one) => one.name === node.zone);
      if (locality === undefined) return [];
      return [{ heading: placeName(locality) }, ...aliveItems({ cluster: name, locality: locality.parts })];
    }
    case 'priority':
      return [
        { heading: node.title },
        {
          slider: 'Panic below',
          value: cluster.panicThreshold,
          onInput: (percent) => void session.slide({ kind: 'panic', cluster: name, percent }),
        },
      ];
    case 'aggregate':
    case 'member':
    case 'lost':
      return [];
  }
}

function loadItems({ clients }: RunPicture, cluster: string): readonly MenuItem[] {
  const send = (workload: string, rate: number): unknown =>
    session.pull({ kind: 'rate', atS: shownS(), workload, perSecond: Number(rate.toPrecision(6)) });
  return clients
    .filter(({ clusters }) => clusters.includes(cluster))
    .flatMap(({ name, perSecond }) =>
      perSecond === undefined
        ? [{ heading: `${visible(name, 60)}: its rate is no single number` }]
        : [
            { heading: `${visible(name, 60)}: ${perSecond}/s` },
            {
              row: 'Load',
              choices: LOADS.map((factor) => [`${factor}×`, () => send(name, perSecond * factor)] as const),
            },
          ],
    );
}

const policyItems = (run: RunPicture, cluster: ClusterPicture, act: (policy: string) => void): readonly MenuItem[] =>
  [...run.policies, ...modulesOf(app.now.files).map(({ file }) => `./${file}`)]
    .filter((policy) => policy !== cluster.policy)
    .map((policy) => ({ name: policy, act: () => act(policy) }));

/** Another policy or version beside this run, or whatever is changed from now on. */
export function compareMenu(): readonly MenuItem[] {
  const { run, check, change } = app.now;
  const cluster = clusterOf(run, app.now.cluster);
  if (run === undefined || cluster === undefined) return [];
  const withPolicy = (policy: string): void => {
    session.pin();
    void session.pull({ kind: 'policy', cluster: cluster.name, policy });
  };
  return [
    ...(change === undefined ? [] : [{ name: 'as it was before my changes', act: () => session.pinBefore() }]),
    { name: 'what I change from now on', act: () => session.pin() },
    ...(check?.isScenario === false || cluster.hosts.length === 0
      ? []
      : [{ heading: 'with another policy' }, ...policyItems(run, cluster, withPolicy)]),
    { heading: 'as another version of the proxy' },
    ...PROXY_VERSIONS.filter((version) => !run.versions.includes(version)).map((version) => ({
      name: `proxy ${version}`,
      act: () => {
        session.pin();
        session.override({ ...app.now.overrides, proxyVersion: version });
      },
    })),
  ];
}
