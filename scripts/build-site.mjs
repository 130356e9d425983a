/**
 * `node scripts/build-site.mjs [FOLDER [ADDRESS]]`: the playground and the gallery into site/. They work from any file server and
 * from a disk: the engine, the shipped scenarios and the styles are inside, and at run time nothing is loaded from anywhere else.
 * With the address that they will have, as https://example.com/lbsim/, links to them show a picture elsewhere.
 */
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { root } from './files.mjs';
import { PreparationError } from './install.mjs';
import { prepare } from './prepare.mjs';

const folder = resolve(root, process.argv[2] ?? 'site');
const address = process.argv[3] === undefined ? '' : new URL(process.argv[3].replace(/\/*$/, '/')).href;

try {
  prepare();
} catch (error) {
  if (!(error instanceof PreparationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(error.exitCode);
}
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(join(root, 'dist/site')).filter((file) => file.endsWith('.js')))
  copyFileSync(join(root, 'dist/site', name), join(folder, name));
const page = readFileSync(join(root, 'dist/site/index.html'), 'utf8');
copyFileSync(join(root, 'docs/images/playground.png'), join(folder, 'playground.png'));
const picture = address === '' ? '' : `<meta property="og:image" content="${address}playground.png" />`;
writeFileSync(
  join(folder, 'index.html'),
  page.replace('<!-- gallery -->', `<meta name="lbsim-gallery" content="gallery/index.html" />${picture}`),
);
const { buildGallery } = await import('./build-gallery.mjs');
const pages = await buildGallery(join(folder, 'gallery'), undefined, undefined, address);
const shown = relative(process.cwd(), folder);
process.stdout.write(`${shown}/index.html\n${shown}/gallery/index.html: ${pages} pages\n`);
