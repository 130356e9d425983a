import type { JSX } from 'preact';
import { PROXY_VERSIONS } from '../../index.js';
import { app, useStore } from '../app-state.js';
import { clusterOf } from '../run-at-time.js';
import type { Session } from '../session.js';
import { visible } from '../number-format.js';
import { Choice } from './choice.js';

/** Another policy or version beside this run, or whatever is changed from now on. */
export function CompareChoice({ session }: { readonly session: Session }): JSX.Element | null {
  const run = useStore(app, (state) => state.run);
  const cluster = useStore(app, (state) => clusterOf(state.run, state.cluster));
  const isScenario = useStore(app, (state) => state.check?.isScenario ?? true);
  const pinned = useStore(app, (state) => state.pinned !== undefined);
  if (run === undefined || cluster === undefined || pinned) return null;
  const policies = isScenario && cluster.hosts.length > 0 ? run.policies : [];
  return (
    <Choice
      label="Compare"
      options={[
        ['what I change from now on', () => session.pin()],
        ...policies
          .filter((policy) => policy !== cluster.policy)
          .map((policy): readonly [string, () => void] => [
            `with ${policy}`,
            () => {
              session.pin();
              void session.pull({ kind: 'policy', cluster: cluster.name, policy });
            },
          ]),
        ...PROXY_VERSIONS.filter((version) => !run.versions.includes(version)).map(
          (version): readonly [string, () => void] => [
            `with proxy ${version}`,
            () => {
              session.pin();
              session.override({ ...app.now.overrides, proxyVersion: version });
            },
          ],
        ),
      ]}
    />
  );
}

/** What differs between A and B, and the way out. */
export function Difference({ session }: { readonly session: Session }): JSX.Element | null {
  const pinned = useStore(app, (state) => state.pinned);
  const difference = useStore(app, (state) => state.difference);
  if (pinned === undefined) return null;
  return (
    <section class="difference" aria-label="A compared with B">
      <p class="headline" role="status">
        {difference === undefined ? 'Comparing A with B, three runs each …' : visible(difference[0] ?? '', 1000)}
      </p>
      {difference?.slice(1).map((sentence) => (
        <p key={sentence}>{visible(sentence, 1000)}</p>
      ))}
      <p class="buttons">
        <button type="button" onClick={() => session.unpin('A')}>
          Go on with A
        </button>
        <button type="button" onClick={() => session.unpin('B')}>
          Go on with B
        </button>
      </p>
    </section>
  );
}
