import type { JSX } from 'preact';
import type { Example } from '../../scenario/example.js';
import { count, seconds, visible } from '../number-format.js';
import { printableLines } from '../../core/printable.js';
import { FlowCaption, FlowPicture } from '../view/flow.js';
import { HatchPattern, laneDrawing, LanesCaption, LanesPicture } from '../view/lanes.js';
import { type Entry, playgroundLink, type Telling } from './entry.js';
import type { RunPicture } from '../engine/picture.js';
import { hostNames } from '../run-at-time.js';
import { layoutFlow } from '../view/flow-layout.js';

/** The flow at one instant, to be looked at. */
export function StillFlow({
  run,
  telling: { cluster, phase },
  width,
}: {
  readonly run: RunPicture;
  readonly telling: Telling;
  readonly width: number;
}): JSX.Element {
  const layout = layoutFlow(run, cluster, phase, width);
  return <FlowPicture layout={layout} width={width} drawn={{ phase, names: hostNames(cluster) }} />;
}

const WIDTH_PX = 700;
/** Of the flow on phones, where letters would be too small. */
const NARROW_PX = 330;
/** More clusters than this are in the playground. */
const DRAWN = 4;

/** One question: the answer, its picture, how it is worked out, and the scenario. */
export function ExamplePage({
  entry,
  before,
  after,
}: {
  readonly entry: Entry;
  readonly before: Example | undefined;
  readonly after: Example | undefined;
}): JSX.Element {
  const { example, picture, report, telling } = entry;
  const [first = '', ...more] = picture.answer;
  const [comment, scenario] = halves(example.text);
  return (
    <div class="page gallery">
      <svg class="shared" aria-hidden="true">
        <HatchPattern />
      </svg>
      <header class="top">
        <p class="home">
          <a href="index.html">lbsim gallery</a> · {visible(example.topic, 80)}
        </p>
        <a class="button primary" href={playgroundLink(entry)}>
          Open in the playground
        </a>
      </header>
      <main>
        <section class="answer" aria-label="Answer">
          <h1>{visible(example.question, 500)}</h1>
          <p class="headline">{visible(first, 1000)}</p>
          {more.length > 0 && <p class="more">{visible(more.join(' '), 4000)}</p>}
          <p class="facts">
            {count(picture.requests)} requests in {seconds(picture.durationS, picture.durationS)} · proxy{' '}
            {picture.versions.join(', ')} · seed {visible(picture.seed, 40)} · {example.name}.yaml
          </p>
        </section>
        {telling.slice(0, DRAWN).map((one) => (
          <Cluster key={one.cluster.name} entry={entry} telling={one} />
        ))}
        {telling.length > DRAWN && (
          <p>
            <a href={playgroundLink(entry)}>{telling.length - DRAWN} more clusters are in the playground.</a>
          </p>
        )}
        <section class="panel as-text" aria-labelledby="worked-title">
          <h2 id="worked-title">Worked out by hand</h2>
          <pre tabindex={0}>{printableLines(comment)}</pre>
        </section>
        <details class="panel as-text">
          <summary>The scenario</summary>
          <pre tabindex={0}>{printableLines(scenario)}</pre>
        </details>
        <details class="panel as-text">
          <summary>The report of lbsim run scenarios/{example.name}.yaml</summary>
          <pre tabindex={0}>{printableLines(report)}</pre>
        </details>
      </main>
      <nav aria-label="Other questions">
        {before !== undefined && (
          <a rel="prev" href={`${before.name}.html`}>
            ← {visible(before.question, 120)}
          </a>
        )}
        {after !== undefined && (
          <a rel="next" href={`${after.name}.html`}>
            {visible(after.question, 120)} →
          </a>
        )}
      </nav>
    </div>
  );
}

function Cluster({ entry, telling }: { readonly entry: Entry; readonly telling: Telling }): JSX.Element {
  const { picture } = entry;
  const { cluster, phase } = telling;
  const drawn = laneDrawing(picture, cluster);
  return (
    <section class="panel" aria-label={visible(cluster.name, 80)}>
      <h2>
        {visible(cluster.name, 80)} · {cluster.policy}
      </h2>
      <div class="cluster">
        <figure class="flow" data-playing={false}>
          <div class="on-wide">
            <StillFlow run={picture} telling={telling} width={WIDTH_PX} />
          </div>
          <div class="on-narrow">
            <StillFlow run={picture} telling={telling} width={NARROW_PX} />
          </div>
          <FlowCaption phase={phase} />
        </figure>
        <div class="reasons">
          {phase.reasons.map((reason) => (
            <p key={reason}>{visible(reason, 1000)}</p>
          ))}
        </div>
      </div>
      {drawn.lanes.length > 0 && (
        <figure class="lanes">
          <LanesPicture drawn={drawn} span={[0, picture.durationS]} width={WIDTH_PX} />
          <LanesCaption drawn={drawn} />
        </figure>
      )}
    </section>
  );
}

/** The comment that a scenario opens with, without its signs, and what follows it. */
function halves(text: string): readonly [comment: string, scenario: string] {
  const lines = text.split('\n').filter((line) => !line.startsWith('# yaml-language-server:'));
  const end = lines.findIndex((line) => !line.startsWith('#'));
  const comment = lines.slice(0, end).map((line) => line.replace(/^# ?/, ''));
  // The question and the topic stand above it.
  const worked = comment.slice(comment.indexOf('')).filter((line) => !line.startsWith('Topic: '));
  return [worked.join('\n').trim(), lines.slice(end).join('\n').trim()];
}
