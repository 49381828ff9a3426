// `npm run schemas`: writes the files that are derived from tables and schemas; a unit test fails if they are out of date.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../catalogue/packageRoot.ts';
import { publishedSchemas } from '../report/publishedSchemas.ts';
import { renderConfigSchema } from '../settings/configSchema.ts';
import { commands } from './commands.ts';
import { renderEventsPage, renderEventsSchema } from './events/eventsPage.ts';
import { renderSettingsPage } from './settingsPage.ts';

for (const [path, text] of Object.entries(publishedFiles())) writeFileSync(join(packageRoot(), path), text);

/** The files of the repository that are derived from tables and schemas, by their path. */
export function publishedFiles(): Readonly<Record<string, string>> {
  const schemas = {
    ...publishedSchemas(),
    'config.schema.json': renderConfigSchema(),
    'events.schema.json': renderEventsSchema(),
  };
  return {
    ...Object.fromEntries(Object.entries(schemas).map(([name, text]) => [`schemas/${name}`, text])),
    'docs/events.md': renderEventsPage(),
    'docs/settings.md': renderSettingsPage(commands),
  };
}
