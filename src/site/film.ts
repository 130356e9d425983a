import { app, clock, durationOf } from './app-state.js';
import { seconds } from './number-format.js';
import { momentsOf, seek } from './player.js';
import { MARGIN, pictureImage, PICTURES, save, sheet } from './save-picture.js';

/** A run as a film, recorded by the browser itself while the page plays it: flow, health and the time. */

const PER_SECOND = 20;
/** A film shows each event for a while, and is short enough to be sent. */
const PER_EVENT_S = 1.2;
const SHORTEST_S = 4;
const LONGEST_S = 20;
const BITS_PER_SECOND = 3_000_000;
const TYPES = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'];
const HEAD = 26;

/** @throws Error where the browser records nothing, or there is nothing to record. */
export async function saveFilm(name: string, say: (text: string) => void): Promise<void> {
  const { run } = app.now;
  const type =
    typeof MediaRecorder === 'undefined' ? undefined : TYPES.find((one) => MediaRecorder.isTypeSupported(one));
  if (type === undefined) throw new Error('This browser records no films.');
  if (run === undefined) throw new Error('There is no run to record yet.');
  const from = clock.now.t;
  const lengthS = Math.min(LONGEST_S, Math.max(SHORTEST_S, PER_EVENT_S * momentsOf([run]).length));
  const wholeS = durationOf(app.now);
  app.set({ playing: false });
  const film = new Film();
  await film.draw(wholeS);
  const recorder = new MediaRecorder(film.canvas.captureStream(PER_SECOND), {
    mimeType: type,
    videoBitsPerSecond: BITS_PER_SECOND,
  });
  const pieces: Blob[] = [];
  recorder.ondataavailable = ({ data }) => pieces.push(data);
  const ended = new Promise((resolve) => (recorder.onstop = resolve));
  recorder.start();
  const startMs = performance.now();
  for (let part = 0; part < 1; part = (performance.now() - startMs) / 1000 / lengthS) {
    seek(part * wholeS);
    say(`Recording: ${Math.round(part * lengthS)} of ${Math.round(lengthS)} s …`);
    await film.draw(wholeS);
  }
  recorder.stop();
  await ended;
  seek(from);
  save(`${name}.${type.startsWith('video/webm') ? 'webm' : 'mp4'}`, pieces, type);
  say('');
}

/** The pictures of the page below each other, on one sheet that is drawn again and again. */
class Film {
  readonly canvas: HTMLCanvasElement;
  private readonly context: CanvasRenderingContext2D;
  private readonly width: number;
  private readonly height: number;

  constructor() {
    const sizes = FRAMES.map((picture) => sizeOf(picture));
    this.width = Math.max(...sizes.map(({ width }) => width)) + 2 * MARGIN;
    // Hosts may come and go: the flow has room to grow.
    this.height = sizes.reduce((sum, { height }) => sum + height + MARGIN, HEAD + MARGIN);
    ({ canvas: this.canvas, context: this.context } = sheet(this.width, this.height));
  }

  async draw(wholeS: number): Promise<void> {
    // The page draws what it was told to show.
    await new Promise(requestAnimationFrame);
    const images = await Promise.all(FRAMES.map((picture) => pictureImage(picture)));
    const { context, width, height } = this;
    const { color, backgroundColor, fontFamily } = getComputedStyle(document.querySelector('.panel') ?? document.body);
    context.fillStyle = backgroundColor;
    context.fillRect(0, 0, width, height);
    context.fillStyle = color;
    context.font = `bold 15px ${fontFamily}`;
    context.fillText(seconds(clock.now.t, wholeS), MARGIN, HEAD - 6);
    let top = HEAD;
    for (const [index, image] of images.entries()) {
      const size = sizeOf(FRAMES[index] ?? 'flow');
      context.drawImage(image, MARGIN, top, size.width, size.height);
      if (FRAMES[index] === 'lanes') this.drawCursor(top, size.height);
      top += size.height + MARGIN;
    }
  }

  /** Where the page has its line at the time shown. */
  private drawCursor(top: number, height: number): void {
    const lanes = document.querySelector('.lanes .over-time')?.getBoundingClientRect();
    const line = document.querySelector('.lanes .cursor')?.getBoundingClientRect();
    if (lanes === undefined || line === undefined) return;
    this.context.fillRect(MARGIN + line.left - lanes.left, top, 2, height);
  }
}

const FRAMES: readonly (keyof typeof PICTURES)[] = ['flow', 'lanes'];

function sizeOf(picture: keyof typeof PICTURES): DOMRect {
  return document.querySelector(PICTURES[picture].selector)?.getBoundingClientRect() ?? new DOMRect();
}
