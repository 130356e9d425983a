/**
 * `node scripts/build-gallery.mjs FOLDER [NAME…]`: the shipped scenarios as pages with their pictures, or some of them;
 * beside the page of the playground, which they open. Each scenario is run.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './files.mjs';
import { bundle, styles } from './page-parts.mjs';

/**
 * @param scenarios where they lie.
 * @param site the address that the site will have; empty: it is not known.
 * @returns how many pages there are.
 */
export async function buildGallery(folder, names = undefined, scenarios = join(root, 'scenarios'), site = '') {
  const files = readdirSync(scenarios)
    .filter((file) => file.endsWith('.yaml') && (names === undefined || names.includes(file.replace('.yaml', ''))))
    .sort()
    .map((file) => ({ file, text: readFileSync(join(scenarios, file), 'utf8') }));
  const pages = await drawn(files, site);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of pages) writeFileSync(join(folder, name), text);
  const own = readFileSync(join(root, 'src/site/gallery/gallery.css'), 'utf8');
  writeFileSync(join(folder, 'gallery.css'), `${styles()}\n${own}`);
  return pages.size;
}

/** The pages by name: drawn by the components of the playground, without a browser. */
async function drawn(files, site) {
  const module = mkdtempSync(join(tmpdir(), 'lbsim-gallery-'));
  try {
    const code = join(module, 'gallery.mjs');
    writeFileSync(code, await bundle('src/site/gallery/gallery.tsx', 'gallery', { format: 'es' }));
    const { galleryPages } = await import(pathToFileURL(code).href);
    let done = 0;
    const isWatched = process.stderr.isTTY;
    const pages = await galleryPages(
      files,
      (name) => {
        if (isWatched) process.stderr.write(`\r\u001b[Kgallery: ${++done} of ${files.length}, ${name}`);
      },
      site,
    );
    if (isWatched) process.stderr.write('\r\u001b[K');
    return pages;
  } finally {
    rmSync(module, { recursive: true, force: true });
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder = 'site/gallery', ...names] = process.argv.slice(2);
  const pages = await buildGallery(resolve(root, folder), names.length === 0 ? undefined : names);
  process.stdout.write(`${relative(process.cwd(), resolve(root, folder))}: ${pages} pages\n`);
}
