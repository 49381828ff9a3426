import type { Deployment } from '../../reference/deployment.ts';
import { type Palette, plainPalette } from '../../core/palette.ts';
import { oneLine, shorten } from '../../report/text/printable.ts';

/** One answered request, as the log shows it. */
interface ServedRequest {
  readonly at: Date;
  readonly method: string;
  readonly target: string;
  readonly key: string;
  readonly status: number;
  /** The `error` of the body, null if there is none. */
  readonly error: string | null;
  readonly durationMs: number;
}

/** The same deployment, which reports every request that it has answered, including those to unknown paths. */
export function logged(
  deployment: Deployment,
  label: (key: string | null) => string,
  log: (entry: ServedRequest) => void,
): Deployment {
  return {
    ...deployment,
    fetch: async (request, info) => {
      const started = performance.now();
      const { pathname, search } = new URL(request.url);
      const response = await deployment.fetch(request, info);
      log({
        at: new Date(),
        method: request.method,
        target: pathname + search,
        key: label(request.headers.get('x-api-key')),
        status: response.status,
        error: await errorOf(response),
        durationMs: performance.now() - started,
      });
      return response;
    },
  };
}

/** `12:00:03.250  GET /extPartner/api/…  primary#1  404 NOT_FOUND  3 ms` */
export function renderServed(entry: ServedRequest, palette: Palette = plainPalette): string {
  const { at, method, target, key, status, error, durationMs } = entry;
  const time = at.toISOString().slice(11, 23);
  const paint = status < 400 ? palette.green : status < 500 ? palette.yellow : palette.red;
  const outcome = paint(error === null ? String(status) : `${status} ${oneLine(shorten(error, 60))}`);
  const request = `${method.padEnd(4)} ${oneLine(shorten(target, 200))}`;
  return `${palette.dim(time)}  ${request}  ${palette.dim(key)}  ${outcome}  ${palette.dim(`${Math.round(durationMs)} ms`)}`;
}

async function errorOf(response: Response): Promise<string | null> {
  if (response.status < 400) return null;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
  return typeof error === 'string' ? error : null;
}
