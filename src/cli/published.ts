import { publishedSchemas } from '../report/publishedSchemas.ts';
import { renderConfigSchema } from '../settings/configSchema.ts';
import { commands } from './commands.ts';
import { renderEventsPage, renderEventsSchema } from './events/eventsPage.ts';
import { renderSettingsPage } from './settingsPage.ts';

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
