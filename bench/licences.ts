// `npm run licences`: writes docs/licences.md, the licences of all packages that are installed with Gatecheck.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

interface Locked {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly version?: string;
        readonly license?: string;
        readonly dev?: boolean;
        readonly devOptional?: boolean;
      }
    >
  >;
}

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Locked;
const rows = Object.entries(packages)
  .filter(([path, { dev, devOptional }]) => path !== '' && dev !== true && devOptional !== true)
  .map(([path, { version = '', license = 'not stated' }]) => ({
    name: path.replace(/^.*node_modules\//, ''),
    version,
    license,
  }));
const byLicence = Map.groupBy(rows, ({ license }) => license);
const sections = [...byLicence]
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(
    ([licence, own]) =>
      `## ${licence} (${own.length})\n\n${own
        .map(({ name, version }) => `${name} ${version}`)
        .sort()
        .join(', ')}\n`,
  );
const head =
  '# Licences\n\nOf all packages that are installed with Gatecheck, by the lockfile (`npm run licences`). Gatecheck itself: MIT.\n';
writeFileSync(join(root, 'docs', 'licences.md'), [head, ...sections].join('\n'));
