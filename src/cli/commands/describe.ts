import { stringify } from 'yaml';
import { z } from 'zod';
import { loadCatalogue, type Catalogue } from '../../catalogue/loadCatalogue.ts';
import { exitCodes } from '../../core/errors.ts';
import type { Api } from '../../core/operations.ts';
import { renderAsyncApi } from '../../report/describe/asyncapi.ts';
import { renderOpenApi } from '../../report/describe/openapi.ts';
import type { Schema } from '../../report/describe/schema.ts';
import { path } from '../../settings/forms.ts';
import { row } from '../../settings/row.ts';
import { settingsTable } from '../../settings/table.ts';
import { command } from '../command.ts';
import { writeOutput } from '../writeOutput.ts';

/** `openapi`: prints the description of either API or of both. */
export const openApiCommand = describing(
  'openapi',
  'print the OpenAPI 3.1 description of the APIs',
  renderOpenApi,
);

/** `asyncapi`: prints the description of the callbacks. */
export const asyncApiCommand = describing(
  'asyncapi',
  'print the AsyncAPI 3.0 description of the callbacks',
  renderAsyncApi,
);

function describing(
  name: string,
  about: string,
  render: (catalogue: Catalogue, apis: readonly Api[]) => Schema,
) {
  return command({
    name,
    about,
    options: {
      apis: { ...settingsTable.apis, help: 'of these APIs: webcheckin,flight-alerts' },
      format: row({
        form: z.enum(['json', 'yaml']),
        default: 'json',
        flag: '--format <name>',
        help: 'json, yaml',
      }),
      output: row({
        form: path,
        default: null,
        flag: '--output <file>',
        help: 'where it goes',
        usual: 'stdout',
      }),
    },
    examples: [`gatecheck ${name} --api webcheckin --format yaml --output ${name}.yaml`],
    run: async ({ io, options: { apis, format, output } }) => {
      const description = render(loadCatalogue(), apis);
      const text =
        format === 'json'
          ? `${JSON.stringify(description, null, 2)}\n`
          : stringify(description, { aliasDuplicateObjects: false });
      await writeOutput(text, output, io);
      return exitCodes.ok;
    },
  });
}
