/** A plugin for both bundlers: writes the licences of all bundled packages into a file next to the bundle. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the package after the last `node_modules`, with its scope. */
const PACKAGE = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const TEXT = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

export const licences = () => ({
  name: 'licences',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
    const folders = new Set(modules.flatMap((id) => PACKAGE.exec(id)?.[1] ?? []));
    const source = [...folders].map(entryOf).sort().join('\n');
    this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES.txt', source });
  },
});

function entryOf(folder) {
  const { name, version, license } = about(folder);
  const texts = textsOf(folder) ?? textsOfSibling(folder, license);
  if (!texts) throw new Error(`${name} is bundled, but neither it nor its siblings bring the text of ${license}.`);
  return ['='.repeat(80), `${name} ${version} (${license})`, '', ...texts, ''].join('\n');
}

const about = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

function textsOf(folder) {
  const files = readdirSync(folder).filter((file) => TEXT.test(file));
  return files.length > 0 ? files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim()) : undefined;
}

/** Packages of one project may share one licence text. */
function textsOfSibling(folder, license) {
  const scope = dirname(folder);
  const siblings = /\/@[^/]+$/.test(scope) ? readdirSync(scope).map((name) => join(scope, name)) : [];
  const same = siblings.find((sibling) => about(sibling).license === license && textsOf(sibling));
  return same && textsOf(same);
}
