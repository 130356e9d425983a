import { app, clock, durationOf } from './app-state.js';
import { seconds } from './number-format.js';
import { momentsOf, seek } from './player.js';

/** Saves a text as a file on the user's disk. */
export function save(name: string, pieces: readonly BlobPart[], type: string): void {
  const url = URL.createObjectURL(new Blob([...pieces], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Pictures of the page as files, as they look at the time shown, light or dark. */
const PICTURES = {
  flow: { name: 'Flow', selector: '.flow svg' },
  lanes: { name: 'Health', selector: '.lanes svg' },
} as const;

/** A file is drawn at twice the size, for screens and prints that show it larger. */
const SCALE = 2;
const MARGIN = 12;
/** Room for the title of a chart. */
const TITLE = 22;

/** What style sheets say of shapes and texts. */
const PROPERTIES = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'opacity', 'display'],
  ...['font-family', 'font-size', 'font-weight', 'text-anchor', 'dominant-baseline'],
];

export function saveSvg(picture: keyof typeof PICTURES, name: string): void {
  save(`${name}-${picture}.svg`, [svgText(elementOf(picture))], 'image/svg+xml');
}

export async function savePng(picture: keyof typeof PICTURES, name: string): Promise<void> {
  const { width, height } = elementOf(picture).getBoundingClientRect();
  const { canvas, context } = sheet(width, height);
  context.drawImage(await pictureImage(picture), 0, 0, width, height);
  await saveCanvas(canvas, `${name}-${picture}.png`);
}

/** As it looks now. */
async function pictureImage(picture: keyof typeof PICTURES): Promise<HTMLImageElement> {
  const image = new Image();
  const url = URL.createObjectURL(new Blob([svgText(elementOf(picture))], { type: 'image/svg+xml' }));
  image.src = url;
  await image.decode();
  URL.revokeObjectURL(url);
  return image;
}

/** All charts below each other. */
export async function saveCharts(name: string): Promise<void> {
  const charts = [...document.querySelectorAll<HTMLElement>('.chart')].flatMap((chart) => {
    const canvas = chart.querySelector('canvas');
    return canvas === null ? [] : [{ chart, canvas, size: canvas.getBoundingClientRect() }];
  });
  if (charts.length === 0) throw new Error('There are no charts to save yet.');
  const width = Math.max(...charts.map(({ size }) => size.width)) + 2 * MARGIN;
  const height = charts.reduce((sum, { size }) => sum + size.height + TITLE + MARGIN, MARGIN);
  const { canvas: whole, context } = sheet(width, height);
  let top = MARGIN;
  for (const { chart, canvas, size } of charts) {
    writeTitle(context, chart, top + TITLE - 8);
    context.drawImage(canvas, MARGIN, top + TITLE, size.width, size.height);
    top += size.height + TITLE + MARGIN;
  }
  await saveCanvas(whole, `${name}-charts.png`);
}

/** The title, and each line's name behind its colour. */
function writeTitle(context: CanvasRenderingContext2D, chart: HTMLElement, y: number): void {
  const { color, fontFamily } = getComputedStyle(chart);
  let x = MARGIN;
  const write = (text: string, font: string): void => {
    context.font = `${font} 13px ${fontFamily}`;
    context.fillStyle = color;
    context.fillText(text, x, y);
    x += context.measureText(text).width + MARGIN;
  };
  write(chart.querySelector('figcaption strong')?.textContent ?? '', 'bold');
  for (const line of chart.querySelectorAll('.legend > span')) {
    const swatch = line.querySelector('.swatch');
    context.fillStyle = swatch === null ? color : getComputedStyle(swatch).backgroundColor;
    context.fillRect(x, y - 10, 10, 10);
    x += 14;
    write(line.textContent.trim(), 'normal');
  }
}

function elementOf(picture: keyof typeof PICTURES): SVGSVGElement {
  const found = document.querySelector<SVGSVGElement>(PICTURES[picture].selector);
  if (found === null) throw new Error(`There is no picture of ${PICTURES[picture].name.toLowerCase()} to save yet.`);
  return found;
}

function svgText(svg: SVGSVGElement): string {
  const copy = withStyles(svg);
  const defs = document.createElementNS('http://www.w3.org/2000/svg', 'defs');
  // A pattern may be that of another picture.
  for (const pattern of document.querySelectorAll('pattern'))
    if (!svg.contains(pattern)) defs.append(withStyles(pattern));
  const back = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [name, value] of Object.entries({ width: '100%', height: '100%', fill: background() })) {
    back.setAttribute(name, value);
  }
  copy.prepend(defs, back);
  const { width, height } = svg.getBoundingClientRect();
  for (const [name, value] of Object.entries({ width, height })) copy.setAttribute(name, String(value));
  return new XMLSerializer().serializeToString(copy);
}

/** A file has no style sheet: each element of the copy has the style that the element has on the page. */
function withStyles<E extends Element>(element: E): E {
  const copy = element.cloneNode(true) as E;
  const copies = [copy, ...copy.querySelectorAll('*')];
  for (const [index, one] of [element, ...element.querySelectorAll('*')].entries()) {
    const style = getComputedStyle(one);
    const own = PROPERTIES.map((property) => `${property}:${style.getPropertyValue(property)}`).join(';');
    copies[index]?.setAttribute('style', own);
  }
  return copy;
}

function background(): string {
  const panel = document.querySelector('.panel');
  return panel === null ? '#fff' : getComputedStyle(panel).backgroundColor;
}

/** An empty picture of that size in CSS pixels. */
function sheet(
  width: number,
  height: number,
): { readonly canvas: HTMLCanvasElement; readonly context: CanvasRenderingContext2D } {
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(width * SCALE);
  canvas.height = Math.ceil(height * SCALE);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser draws no pictures.');
  context.scale(SCALE, SCALE);
  context.fillStyle = background();
  context.fillRect(0, 0, width, height);
  return { canvas, context };
}

async function saveCanvas(canvas: HTMLCanvasElement, file: string): Promise<void> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob === null) throw new Error('The picture is too large for this browser.');
  save(file, [blob], 'image/png');
}

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
  const film = filmSheet(wholeS);
  await film.draw();
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
    await film.draw();
  }
  recorder.stop();
  await ended;
  seek(from);
  save(`${name}.${type.startsWith('video/webm') ? 'webm' : 'mp4'}`, pieces, type);
  say('');
}

/** The pictures of the page below each other, on one sheet that is drawn again and again. */
function filmSheet(wholeS: number): { readonly canvas: HTMLCanvasElement; readonly draw: () => Promise<void> } {
  const sizes = FRAMES.map(sizeOf);
  const width = Math.max(...sizes.map((size) => size.width)) + 2 * MARGIN;
  // Hosts may come and go: the flow has room to grow.
  const height = sizes.reduce((sum, size) => sum + size.height + MARGIN, HEAD + MARGIN);
  const { canvas, context } = sheet(width, height);
  const draw = async (): Promise<void> => {
    // The page draws what it was told to show.
    await new Promise(requestAnimationFrame);
    const images = await Promise.all(FRAMES.map(pictureImage));
    const { color, backgroundColor, fontFamily } = getComputedStyle(document.querySelector('.panel') ?? document.body);
    context.fillStyle = backgroundColor;
    context.fillRect(0, 0, width, height);
    context.fillStyle = color;
    context.font = `bold 15px ${fontFamily}`;
    context.fillText(seconds(clock.now.t, wholeS), MARGIN, HEAD - 6);
    let top = HEAD;
    for (const [index, image] of images.entries()) {
      const frame = FRAMES[index] ?? 'flow';
      const size = sizeOf(frame);
      context.drawImage(image, MARGIN, top, size.width, size.height);
      if (frame === 'lanes') drawCursor(context, top, size.height);
      top += size.height + MARGIN;
    }
  };
  return { canvas, draw };
}

/** Where the page has its line at the time shown. */
function drawCursor(context: CanvasRenderingContext2D, top: number, height: number): void {
  const lanes = document.querySelector('.lanes .over-time')?.getBoundingClientRect();
  const line = document.querySelector('.lanes .cursor')?.getBoundingClientRect();
  if (lanes === undefined || line === undefined) return;
  context.fillRect(MARGIN + line.left - lanes.left, top, 2, height);
}

const FRAMES: readonly (keyof typeof PICTURES)[] = ['flow', 'lanes'];

function sizeOf(picture: keyof typeof PICTURES): DOMRect {
  return document.querySelector(PICTURES[picture].selector)?.getBoundingClientRect() ?? new DOMRect();
}
