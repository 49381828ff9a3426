import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { schema } from '@stryker-mutator/api/core';
import { AreaReporter } from './areaReporter.ts';
import { reportFolder } from './paths.ts';

// Renders the report of the last run again, after `accepted.yaml` was changed: `node test/mutation/render.ts`.
const text = readFileSync(join(reportFolder, 'mutation.json'), 'utf8');
new AreaReporter().onMutationTestReportReady(JSON.parse(text) as schema.MutationTestResult);
