import type { ObservedPart } from '../../analysis/observe/compared.js';
import { app, useApp } from '../app-state.js';
import type { ObservedPicture } from '../engine/observed-picture.js';
import { count, percent, visible } from '../number-format.js';
import { Bar, DataTable, Paragraphs } from './controls.js';

/** Of a cluster; what is off comes first. */
const MOST = 200;

/** What hosts were seen to get, beside what is configured. */
export function Observed() {
  const { observation, seen } = useApp('observation', 'seen');
  const files = (
    <p class="sum">
      Seen in {visible(seen.map(({ file }) => file).join(', '), 300)}{' '}
      <button onClick={() => app.set({ seen: [], observation: undefined })}>Remove</button>
    </p>
  );
  if (observation === undefined) return <p class="empty">Comparing with what was seen …</p>;
  return (
    <>
      <ObservedClusters {...observation} />
      {files}
    </>
  );
}

export const ObservedClusters = ({ told, isOff, clusters }: ObservedPicture) => (
  <>
    <Paragraphs of={told.slice(0, 1)} class={isOff ? 'bad' : 'good'} />
    {clusters.map(([name, { policy, requests, would_notice: notice, parts }]) => (
      <PartTable
        key={name}
        caption={`${visible(name, 80)}: ${policy}, ${count(requests)} requests, would notice ${percent(notice)}`}
        parts={parts}
      />
    ))}
    <Paragraphs of={told.slice(1)} class="sum" />
  </>
);

const MARKS = { as_expected: '', more: '▲ ', fewer: '▼ ' } as const;

function PartTable({ caption, parts }: Readonly<{ caption: string; parts: readonly ObservedPart[] }>) {
  // Zones get more than hosts: each kind has a scale.
  const longest = new Map<ObservedPart['of'], number>();
  for (const { of, seen, most } of parts) longest.set(of, Math.max(seen, most, longest.get(of) ?? 0));
  const isOff = ({ verdict }: ObservedPart): boolean => verdict !== 'as_expected';
  return (
    <DataTable
      class="split"
      caption={caption}
      rows={parts.toSorted((a, b) => Number(isOff(b)) - Number(isOff(a)))}
      most={MOST}
      columns={[
        ['Host', ({ of, name }) => visible(of === 'host' ? name : `${of} ${name}`, 80)],
        ['Expected', ({ of, expected }) => <Bar part={expected / (longest.get(of) ?? 1)}>{percent(expected)}</Bar>],
        [
          'Seen',
          (row) => {
            const [seen, least, most] = [row.seen, row.least, row.most].map((one) => one / (longest.get(row.of) ?? 1));
            return (
              <Bar part={seen ?? 0} from={least} to={most}>
                <span class={isOff(row) ? 'off' : undefined} title={`${count(row.requests)} requests`}>
                  <span aria-hidden="true">{MARKS[row.verdict]}</span>
                  {percent(row.seen)}
                  {isOff(row) && <span class="hidden"> {row.verdict}</span>}
                </span>
              </Bar>
            );
          },
        ],
        ['As configured', ({ least, most }) => `${(least * 100).toFixed(1)}–${percent(most)}`, 'number'],
      ]}
    />
  );
}
