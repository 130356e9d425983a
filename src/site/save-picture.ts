import { largest } from '../core/values.js';
import { escaped } from '../core/printable.js';
import { app, clock, durationOf } from './app-state.js';
import { clusterOf, instantAt } from './instant.js';
import { percent, seconds, visible } from './number-format.js';
import { loadPart } from './parts.js';
import { momentsOf, seek } from './player.js';

export function save(name: string, pieces: readonly BlobPart[], type: string): void {
  const url = URL.createObjectURL(new Blob([...pieces], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/**
 * Pictures of the page as files that tell by themselves what they show: the question, the answer, the pictures as they look at
 * the time shown, light or dark, and below them the time, what fails, and where to look further.
 */

/** A file is drawn at twice the size, for screens and prints that show it larger. */
const SCALE = 2;
const MARGIN = 14;
const MOST_LINES = 3;
const INSTANT = '.flow svg, .lanes svg';
const COURSE = '.lanes svg, .chart canvas';

/** What style sheets say of shapes and texts. */
const PROPERTIES = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'opacity', 'display'],
  ...['font-family', 'font-size', 'font-weight', 'text-anchor', 'dominant-baseline'],
];

export function saveSvg(name: string): void {
  save(`${name}.svg`, [postcard(INSTANT).svg], 'image/svg+xml');
}

export const savePng = (name: string): Promise<void> => saveStill(`${name}.png`, INSTANT);
export const saveCharts = (name: string): Promise<void> => saveStill(`${name}-charts.png`, COURSE);

async function saveStill(file: string, parts: string): Promise<void> {
  const card = postcard(parts);
  const sheet = sheetFor([card], SCALE);
  await sheet.draw(card);
  const blob = await new Promise<Blob | null>((resolve) => sheet.canvas.toBlob(resolve, 'image/png'));
  if (blob === null) throw new Error('The picture is too large for this browser.');
  save(file, [blob], 'image/png');
}

type Postcard = ReturnType<typeof postcard>;

/** @param parts what of the page is on it, where it is on the page. */
function postcard(parts: string) {
  const panel = document.querySelector('.picture');
  const found = [...document.querySelectorAll<SVGSVGElement | HTMLCanvasElement>(parts)];
  const { run } = app.now;
  if (panel === null || run === undefined || found.length === 0) throw new Error('There is no picture to save yet.');
  const { color, backgroundColor, fontFamily } = getComputedStyle(panel);
  const faint = getComputedStyle(document.querySelector('.facts') ?? panel).color;
  const boxes = found.map((one) => one.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left));
  const width = Math.ceil(Math.max(...boxes.map((box) => box.right)) - left) + 2 * MARGIN;
  let y = MARGIN;
  const texts: string[] = [];
  const write = (text: string, size: number, fill: string, weight = 400): void => {
    for (const line of wrapped(text, width - 2 * MARGIN, `${weight} ${size}px ${fontFamily}`)) {
      y += Math.round(size * 1.3);
      texts.push(
        `<text x="${MARGIN}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}">${escaped(line)}</text>`,
      );
    }
  };
  write(run.description === '' ? run.scenario : run.description, 13, faint);
  write(document.querySelector('.headline')?.textContent ?? run.answer[0] ?? '', 18, color, 600);
  y += MARGIN;
  const top = Math.min(...boxes.map((box) => box.top));
  const place = ({ x: atX, y: atY }: Readonly<{ x: number; y: number }>): readonly [number, number] => [
    atX - left + MARGIN,
    atY - top + y,
  ];
  const drawn = [
    ...found.map((one, index) => partOf(one, place(boxes[index] ?? new DOMRect()), boxes[index] ?? new DOMRect())),
    ...(parts === COURSE ? captions(place, color) : []),
    ...cursors(place, color),
  ];
  y += Math.max(...boxes.map((box) => box.bottom)) - top + 4;
  write(footer(), 12, faint);
  // Where to look further; a file on this machine is of no use to others.
  const { protocol, href, origin, pathname } = location;
  if (protocol !== 'file:') write(href.length <= MOST_LINK ? href : `${origin}${pathname}`, 12, faint);
  const height = Math.ceil(y + MARGIN);
  const patterns = [...document.querySelectorAll('pattern')].map((one) => serialized(withStyles(one))).slice(0, 1);
  return {
    width,
    height,
    background: backgroundColor,
    svg:
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escaped(fontFamily)}">` +
      `<defs>${patterns.join('')}</defs><rect width="100%" height="100%" fill="${backgroundColor}"/>${[...texts, ...drawn].join('')}</svg>`,
  };
}

function footer(): string {
  const { run, cluster: name } = app.now;
  const cluster = clusterOf(run, name);
  const failed = cluster === undefined ? 0 : (instantAt(cluster, clock.now.t)?.failed ?? 0);
  const made = document.querySelector('meta[name="generator"]')?.getAttribute('content') ?? 'lbsim';
  const whole = durationOf(app.now);
  const { noun = 'requests' } = run ?? {};
  const fails = failed > 0 ? `${percent(failed)} of ${noun} fail` : `no ${noun.slice(0, -1)} fails`;
  return `${seconds(clock.now.t, whole)} of ${seconds(whole, whole)} · ${fails} · proxy ${run?.versions.join(', ') ?? ''} · ${made}`;
}

/** Longer ones hold a text: nobody types them. */
const MOST_LINK = 120;

function partOf(part: SVGSVGElement | HTMLCanvasElement, [x, y]: readonly [number, number], box: DOMRect): string {
  const at = `x="${x}" y="${y}" width="${box.width}" height="${box.height}"`;
  if (part instanceof HTMLCanvasElement) return `<image ${at} href="${part.toDataURL()}"/>`;
  const copy = withStyles(part);
  for (const [name, value] of Object.entries({ x, y, width: box.width, height: box.height }))
    copy.setAttribute(name, String(value));
  return serialized(copy);
}

const captions = (place: (box: DOMRect) => readonly [number, number], color: string): readonly string[] =>
  [...document.querySelectorAll<HTMLElement>('.chart figcaption > strong, .chart .legend > span')].map((one) => {
    const [x, y] = place(one.getBoundingClientRect());
    const swatch = one.querySelector('.swatch');
    const mark =
      swatch === null
        ? ''
        : `<rect x="${x}" y="${y + 4}" width="10" height="10" fill="${getComputedStyle(swatch).backgroundColor}"/>`;
    const text = `<text x="${x + (swatch === null ? 0 : 15)}" y="${y + 14}" font-size="12" fill="${color}">${escaped(one.textContent.trim())}</text>`;
    return mark + text;
  });

const cursors = (place: (box: DOMRect) => readonly [number, number], color: string): readonly string[] =>
  [...document.querySelectorAll('.lanes .over-time')].map((lanes) => {
    const [x, y] = place(lanes.querySelector('.cursor')?.getBoundingClientRect() ?? new DOMRect());
    return `<rect x="${x}" y="${y}" width="2" height="${lanes.getBoundingClientRect().height}" fill="${color}"/>`;
  });

/** The lines of a text; the last ends where there is no more room. */
function wrapped(text: string, width: number, font: string): readonly string[] {
  const ruler = document.createElement('canvas').getContext('2d');
  if (ruler === null) return [text];
  ruler.font = font;
  const lines = [''];
  for (const word of visible(text, 600).split(' ')) {
    const line = `${lines[lines.length - 1] ?? ''} ${word}`.trim();
    if (ruler.measureText(line).width <= width || lines[lines.length - 1] === '') lines[lines.length - 1] = line;
    else if (lines.length < MOST_LINES) lines.push(word);
    else return [...lines.slice(0, -1), `${lines[lines.length - 1] ?? ''} …`];
  }
  return lines;
}

const serialized = (element: Element): string => new XMLSerializer().serializeToString(element);

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

function sheetFor(cards: readonly Postcard[], scale: number) {
  const canvas = document.createElement('canvas');
  // Encoders of films want even numbers.
  const room = (lengths: readonly number[]): number => 2 * Math.ceil((largest(lengths, 0) * scale) / 2);
  canvas.width = room(cards.map(({ width }) => width));
  canvas.height = room(cards.map(({ height }) => height));
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('This browser draws no pictures.');
  const draw = async ({ svg, width, height, background }: Postcard): Promise<void> => {
    const image = new Image();
    const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
    image.src = url;
    await image.decode();
    URL.revokeObjectURL(url);
    // One that is smaller leaves nothing of the one before.
    context.fillStyle = background;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, width * scale, height * scale);
  };
  return { canvas, context, draw };
}

/** The run in motion: each event is shown for a while, and it is short enough to be sent. */

const PER_EVENT_S = 1.2;
const SHORTEST_S = 4;
const LONGEST_S = 20;

/** Shows the run from its beginning to its end, a picture after the other; as hosts come and go, some are higher than others. */
async function stills(perSecond: number, say: (text: string) => void): Promise<readonly Postcard[]> {
  const { run } = app.now;
  if (run === undefined) throw new Error('There is no run to record yet.');
  const from = clock.now.t;
  const lengthS = Math.min(LONGEST_S, Math.max(SHORTEST_S, PER_EVENT_S * momentsOf([run]).length));
  const wholeS = durationOf(app.now);
  const cards: Postcard[] = [];
  app.set({ playing: false });
  for (let part = 0; part < 1; part = cards.length / perSecond / lengthS) {
    seek(part * wholeS);
    say(`Recording: ${Math.round(part * lengthS)} of ${Math.round(lengthS)} s …`);
    // The page draws what it was told to show.
    await new Promise(requestAnimationFrame);
    cards.push(postcard(INSTANT));
  }
  seek(from);
  say('Writing the file …');
  return cards;
}

const GIF_PER_SECOND = 5;
const GIF_COLOURS = 128;

/** As a file that chats and pages show at once. */
export async function saveGif(name: string, say: (text: string) => void): Promise<void> {
  const { applyPalette, GIFEncoder, quantize } = await loadPart('gif');
  const cards = await stills(GIF_PER_SECOND, say);
  const { canvas, context, draw } = sheetFor(cards, 1);
  const encoder = GIFEncoder();
  for (const card of cards) {
    await draw(card);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const palette = quantize(data, GIF_COLOURS);
    const delay = 1000 / GIF_PER_SECOND;
    encoder.writeFrame(applyPalette(data, palette), canvas.width, canvas.height, { palette, delay });
  }
  encoder.finish();
  say('');
  save(`${name}.gif`, [encoder.bytes()], 'image/gif');
}

const FILM_PER_SECOND = 12;
const BITS_PER_SECOND = 3_000_000;
const TYPES = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'];

/** As a film, recorded by the browser itself. @throws Error where it records nothing. */
export async function saveFilm(name: string, say: (text: string) => void): Promise<void> {
  const type =
    typeof MediaRecorder === 'undefined' ? undefined : TYPES.find((one) => MediaRecorder.isTypeSupported(one));
  if (type === undefined) throw new Error('This browser records no films.');
  const cards = await stills(FILM_PER_SECOND, say);
  const { canvas, draw } = sheetFor(cards, SCALE);
  const recorder = new MediaRecorder(canvas.captureStream(FILM_PER_SECOND), {
    mimeType: type,
    videoBitsPerSecond: BITS_PER_SECOND,
  });
  const pieces: Blob[] = [];
  recorder.ondataavailable = ({ data }) => pieces.push(data);
  const ended = new Promise((resolve) => (recorder.onstop = resolve));
  recorder.start();
  const startMs = performance.now();
  for (const [place, card] of cards.entries()) {
    await draw(card);
    // It is recorded as it is seen.
    await new Promise((resolve) =>
      setTimeout(resolve, startMs + (1000 * (place + 1)) / FILM_PER_SECOND - performance.now()),
    );
  }
  recorder.stop();
  await ended;
  say('');
  save(`${name}.${type.startsWith('video/webm') ? 'webm' : 'mp4'}`, pieces, type);
}
