import { join } from 'node:path';
import { z } from 'zod';
import { catalogueError } from './catalogueError.ts';
import { packageRoot } from './packageRoot.ts';
import { readYaml } from './readYaml.ts';

const quotesSchema = z.record(z.string(), z.array(z.string().trim().min(1)).min(1));

/** What the documents say about open points, word for word, by the id of the point; not every point has quotes. */
export function loadQuotes(): ReadonlyMap<string, readonly string[]> {
  const file = join(packageRoot(), 'fixtures', 'questions', 'quotes.yaml');
  const parsed = quotesSchema.safeParse(readYaml(file));
  if (!parsed.success)
    throw catalogueError('quotes.yaml', 'expected a list of quotes for each id', parsed.error);
  return new Map(Object.entries(parsed.data));
}
