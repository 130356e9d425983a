import { useEffect, useMemo, useRef } from 'preact/hooks';
import { app, clock, durationOf, useApp, useStore } from '../app-state.js';
import { momentsOf, seek, SPEEDS, stepEvent, togglePlay } from '../player.js';
import { seconds } from '../number-format.js';
import { Choice } from './controls.js';

/** Steps of the slider. */
const STEPS = 1000;

export function Transport() {
  const { playing, speed } = useApp('playing', 'speed');
  const durationS = useStore(app, (state) => (state.run === undefined ? undefined : durationOf(state)));
  const slider = useRef<HTMLInputElement>(null);
  const time = useRef<HTMLOutputElement>(null);
  const known = durationS !== undefined;
  const speeds = [...new Set<number>([...SPEEDS, speed])].sort((a, b) => a - b);
  useEffect(() => {
    if (durationS === undefined) return undefined;
    const show = (): void => {
      const { t } = clock.now;
      if (slider.current !== null) {
        slider.current.value = String(durationS === 0 ? 0 : (t / durationS) * STEPS);
        slider.current.setAttribute('aria-valuetext', seconds(t, durationS));
      }
      if (time.current !== null) time.current.textContent = seconds(t, durationS);
    };
    show();
    return clock.subscribe(show);
  }, [durationS]);
  const [label, path] = playing ? ['Pause', 'M4 3h3v10H4zM9 3h3v10H9z'] : ['Play', 'M4 2l10 6-10 6z'];
  const [back, on] = ['Previous event', 'Next event'];
  const buttons = [
    { label: back, title: `${back} (p)`, path: 'M3 3v10M13 3l-8 5 8 5z', act: () => stepEvent(-1) },
    { label, title: 'Play or pause (space)', path, act: togglePlay, class: 'primary' },
    { label: on, title: `${on} (n)`, path: 'M13 3v10M3 3l8 5-8 5z', act: () => stepEvent(1) },
  ];
  return (
    <section class="transport" aria-label="Playback">
      {buttons.map(({ label, title, path, act, ...rest }) => (
        <button key={title} {...rest} onClick={act} disabled={!known} aria-label={label} title={title}>
          <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path d={path} />
          </svg>
        </button>
      ))}
      <output class="time" ref={time} aria-label="Time shown">
        –
      </output>
      <span class="seek-box">
        <Moments durationS={durationS ?? 0} />
        <input
          type="range"
          class="seek"
          ref={slider}
          min={0}
          max={STEPS}
          step="any"
          defaultValue="0"
          disabled={!known}
          aria-label="Time"
          onInput={(event) => seek((Number(event.currentTarget.value) / STEPS) * (durationS ?? 0))}
        />
      </span>
      <span class="end">{known ? seconds(durationS, durationS) : ''}</span>
      <label class="speed">
        <span class="hidden">Speed</span>
        <Choice
          value={speed}
          of={speeds.map((one) => [one, `${Number(one.toPrecision(3))}×`])}
          choose={(chosen) => app.set({ speed: chosen })}
        />
      </label>
    </section>
  );
}

/** More marks than this would be a bar. */
const MOST_MARKS = 200;

function Moments({ durationS }: Readonly<{ durationS: number }>) {
  const { run } = useApp('run');
  const moments = useMemo(
    () => (run === undefined ? [] : momentsOf([run]).filter((t) => t > 0 && t < durationS)),
    [run, durationS],
  );
  return (
    <span class="moments" aria-hidden="true">
      {moments.slice(0, MOST_MARKS).map((t) => (
        <span key={t} style={{ left: `${(100 * t) / durationS}%` }} />
      ))}
    </span>
  );
}
