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
export const PICTURES = {
  flow: { name: 'Flow', selector: '.flow svg' },
  lanes: { name: 'Health', selector: '.lanes svg' },
} as const;

/** A file is drawn at twice the size, for screens and prints that show it larger. */
const SCALE = 2;
export const MARGIN = 12;
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
export async function pictureImage(picture: keyof typeof PICTURES): Promise<HTMLImageElement> {
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
export function sheet(
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
