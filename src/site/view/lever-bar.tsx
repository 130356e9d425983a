import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { app, clock, useStore } from '../app-state.js';
import type { Hosts, Lever } from '../engine/levers.js';
import type { ClusterPicture, RunPicture } from '../engine/picture.js';
import { clusterOf, hostNames, phaseAt } from '../run-at-time.js';
import { type Session, shownS } from '../session.js';
import { percent, visible } from '../number-format.js';
import { Choice } from './choice.js';

const LOADS = [0.1, 0.5, 2, 5, 10];
const WEIGHTS = [1, 2, 3, 5, 10, 50, 100];
/** More hosts than this are named in the text, not in a list. */
const LISTED = 100;

/** One click: kill or revive hosts from the time shown on, another policy, panic threshold, load or weight. */
export function LeverBar({ session }: { readonly session: Session }): JSX.Element | null {
  const run = useStore(app, (state) => state.run);
  const cluster = useStore(app, (state) => clusterOf(state.run, state.cluster));
  const isScenario = useStore(app, (state) => state.check?.isScenario ?? true);
  const host = useStore(app, (state) => cluster?.hosts[state.host ?? -1]);
  if (run === undefined || cluster === undefined || cluster.hosts.length === 0) return null;
  if (!isScenario) {
    return (
      <p class="levers">
        <button type="button" onClick={() => void session.makeScenario()}>
          Turn into a scenario
        </button>{' '}
        to kill hosts, to change weights, policy and load.
      </p>
    );
  }
  const pull = (lever: Lever): void => void session.pull(lever);
  return (
    <div class="levers" role="group" aria-label="Levers: change the scenario from the time shown on">
      {(['kill', 'revive'] as const).map((kind) => (
        <Choice
          key={kind}
          label={kind === 'kill' ? 'Kill' : 'Revive'}
          options={targetsOf(cluster).map(({ name, hosts }) => [name, () => pull({ kind, atS: shownS(), hosts })])}
        />
      ))}
      <Choice
        label="Policy"
        options={run.policies
          .filter((policy) => policy !== cluster.policy)
          .map((policy) => [policy, () => pull({ kind: 'policy', cluster: cluster.name, policy })])}
      />
      <PanicLever cluster={cluster} session={session} />
      <Choice
        label="Load"
        options={ratesOf(run, cluster).map(({ name, workload, perSecond }) => [
          name,
          () => pull({ kind: 'rate', atS: shownS(), workload, perSecond }),
        ])}
      />
      {host !== undefined && (
        <Choice
          label={`Weight of ${visible(host.address, 24)}`}
          options={WEIGHTS.filter((weight) => weight !== host.weight).map((weight) => [
            String(weight),
            () => pull({ kind: 'weight', atS: shownS(), hosts: { address: host.address }, weight }),
          ])}
        />
      )}
      <Changed session={session} />
    </div>
  );
}

/** Moved by mouse and by arrow keys; the prediction goes along. */
function PanicLever({
  cluster,
  session,
}: {
  readonly cluster: ClusterPicture;
  readonly session: Session;
}): JSX.Element {
  const { name } = cluster;
  const percentNow = useStore(
    app,
    (state) => (state.ahead?.clusters.find((one) => one.name === name) ?? cluster).panicThreshold,
  );
  // A hand is ahead of the prediction.
  const [held, hold] = useState<number>();
  const isChanged = useStore(app, ({ change }) => change !== undefined);
  useEffect(() => {
    if (!isChanged) hold(undefined);
  }, [name, isChanged]);
  const shown = held ?? percentNow;
  return (
    <label class="panic-lever">
      Panic below
      <input
        type="range"
        min={0}
        max={100}
        value={shown}
        onInput={(event) => {
          const percent = Number(event.currentTarget.value);
          hold(percent);
          void session.slide({ kind: 'panic', cluster: name, percent });
        }}
      />
      <output>{Math.round(shown)} %</output>
    </label>
  );
}

/** The changes of levers as lines of the scenario, and the prediction, before the simulation. */
function Changed({ session }: { readonly session: Session }): JSX.Element | null {
  const change = useStore(app, (state) => state.change);
  const clusters = useStore(app, (state) => state.check?.clusters);
  const name = useStore(app, (state) => clusterOf(state.run, state.cluster)?.name);
  const predicted = clusters?.find((cluster) => cluster.name === name);
  const place = useStore(clock, ({ t }) => (predicted === undefined ? -1 : phaseAt(predicted, t)));
  if (change === undefined) return null;
  return (
    <div class="change" role="status">
      <p>These lines were added:</p>
      <pre>{change.lines.map((line) => visible(line, Infinity)).join('\n')}</pre>
      {predicted !== undefined && <p>{forecast(predicted, place)}</p>}
      {predicted?.phases[place]?.reasons.map((reason) => (
        <p key={reason} class="sum">
          {visible(reason, 300)}
        </p>
      ))}
      {change.tookMs !== undefined && <p class="sum">Worked out in {Math.max(1, Math.round(change.tookMs))} ms.</p>}
      <p class="buttons">
        <button type="button" onClick={() => session.keep()}>
          Keep
        </button>
        <button type="button" onClick={() => session.undo()}>
          Undo
        </button>
      </p>
    </div>
  );
}

/** Localities first, then hosts. */
function targetsOf(cluster: ClusterPicture): readonly { readonly name: string; readonly hosts: Hosts }[] {
  const { localities } = cluster;
  const names = hostNames(cluster);
  return [
    ...(localities.length < 2 ? [] : localities).map(({ name, parts }) => ({
      name: `${Object.keys(parts).join() === 'zone' ? 'zone' : 'locality'} ${visible(name, 40)}`,
      hosts: { cluster: cluster.name, locality: parts },
    })),
    ...cluster.hosts.slice(0, LISTED).map(({ address }, host) => ({ name: names[host] ?? '', hosts: { address } })),
  ];
}

function ratesOf(
  { clients }: RunPicture,
  cluster: ClusterPicture,
): readonly { readonly name: string; readonly workload: string; readonly perSecond: number }[] {
  const senders = clients.filter(({ clusters }) => clusters.includes(cluster.name));
  return senders.flatMap(({ name: workload, perSecond }) =>
    perSecond === undefined
      ? []
      : LOADS.map((factor) => ({
          name: `${factor} × ${senders.length > 1 ? visible(workload, 30) : ''}`.trim(),
          workload,
          perSecond: Number((perSecond * factor).toPrecision(6)),
        })),
  );
}

/** More shares are in the split. */
const MAX_SHARES = 6;

function forecast(cluster: ClusterPicture, place: number): string {
  const phase = cluster.phases[place];
  if (phase === undefined || cluster.whyNot !== '') return `No exact prediction: ${visible(cluster.whyNot, 300)}`;
  const names = hostNames(cluster);
  const shares = names
    .map((name, host) => ({ name, share: phase.shares[host] ?? 0, there: phase.health[host] !== 0 }))
    .filter(({ there }) => there)
    .sort((a, b) => b.share - a.share);
  const shown = shares.slice(0, MAX_SHARES).map(({ name, share }) => `${name} ${percent(share)}`);
  const rest = shares.length - shown.length;
  const lost = phase.noHost > 0 ? `; ${percent(phase.noHost)} find no host` : '';
  return `By the rules, now: ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}${lost}.`;
}
