import { apis, type Api } from '../../core/operations.ts';
import { suggest } from '../suggest.ts';
import { accept, refuse, type Parsed } from './parsed.ts';

/** A comma-separated list of APIs, in the order of the documents, each once. */
export function parseApis(text: string): Parsed<readonly Api[]> {
  const names = text.split(',').map((name) => name.trim());
  const stray = names.find((name) => !isApi(name));
  return stray === undefined
    ? accept(apis.filter((api) => names.includes(api)))
    : refuse(`APIs with a comma between, such as ${apis.join(',')}${suggest(stray, apis)}`, text);
}

function isApi(name: string): name is Api {
  return (apis as readonly string[]).includes(name);
}
