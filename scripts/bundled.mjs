/**
 * Which packages the built files hold: `npm audit` sees them as packages of the build alone. Each step of the build notes
 * its own, and the last one writes dist/sbom.cdx.json (CycloneDX) from all notes.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import { root } from './files.mjs';

/** Not shipped. */
const NOTES = join(root, 'dist/.bundled');

const readPackage = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Folders of the packages that these modules are of, the innermost of each, in order. */
export function packagesOf(modules) {
  const folders = modules.flatMap(
    (path) => /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+(?=[/\\])/.exec(path)?.[0] ?? [],
  );
  return [...new Set(folders)].sort();
}

/** Notes that these modules are in files of a folder of dist/, `cli` or `site`. */
export function noteBundled(part, modules) {
  mkdirSync(NOTES, { recursive: true });
  const folders = packagesOf(modules).map((folder) => relative(root, folder));
  writeFileSync(join(NOTES, `${part}.json`), JSON.stringify(folders));
}

/**
 * The bill of materials, the same text for the same notes.
 *
 * @param parts folders of packages, below the root, by the folder of dist/ that holds their code.
 */
export function sbomOf(parts) {
  const licences = new Contrib.License.Factories.LicenseFactory();
  const builder = new Contrib.FromNodePackageJson.Builders.ComponentBuilder(
    new Contrib.FromNodePackageJson.Factories.ExternalReferenceFactory(),
    licences,
  );
  const component = (folder, type) => {
    const found = builder.makeComponent(readPackage(folder), type);
    const name = found.group === undefined ? found.name : `${found.group}/${found.name}`;
    found.purl = `pkg:npm/${name.replace('@', '%40')}@${found.version}`;
    found.bomRef.value = found.purl;
    return found;
  };
  const bom = new Models.Bom();
  bom.metadata.component = component(root, Enums.ComponentType.Application);
  const holders = new Map();
  for (const [part, folders] of Object.entries(parts))
    for (const folder of folders) holders.set(folder, [...(holders.get(folder) ?? []), part]);
  for (const folder of [...holders.keys()].sort()) {
    const one = component(join(root, folder), Enums.ComponentType.Library);
    for (const part of holders.get(folder)) one.properties.add(new Models.Property('lbsim:bundled-in', `dist/${part}`));
    bom.components.add(one);
    bom.metadata.component.dependencies.add(one.bomRef);
  }
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return `${new Serialize.JsonSerializer(factory).serialize(bom, { sortLists: true, space: 2 })}\n`;
}

export function writeSbom() {
  const parts = Object.fromEntries(
    readdirSync(NOTES).map((file) => [file.replace('.json', ''), JSON.parse(readFileSync(join(NOTES, file), 'utf8'))]),
  );
  writeFileSync(join(root, 'dist/sbom.cdx.json'), sbomOf(parts));
}
