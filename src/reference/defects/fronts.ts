import { defectsOf, type Defect } from './row.ts';
import type { SharedPolicy } from '../shared/policy.ts';

const { sometimes } = defectsOf('shared');

const page = (status: number) =>
  new Response('<html><body><h1>Error</h1></body></html>', {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });

/** A layer that answers by itself where it has something to say. */
const answers =
  (own: (request: Request) => Response | null): SharedPolicy['front'] =>
  (request, answer) => {
    const said = own(request);
    return said === null ? answer() : Promise.resolve(said);
  };

const accepts = ({ headers }: Request) => headers.get('accept') ?? '*/*';

function hasBrokenEscape(url: string): boolean {
  try {
    decodeURIComponent(url.replaceAll('+', ' '));
    return false;
  } catch {
    return true;
  }
}

const sizeOf = ({ headers }: Request) =>
  [...headers].reduce((sum, [name, value]) => sum + name.length + value.length, 0);

const ofEscapes = 'SHR-ERR-001 SHR-ERR-007 SHR-ERR-020 SHR-ERR-022 also SHR-ERR-003 SHR-ERR-036 SHR-ERR-037';

/** Mistakes of what stands in front of the handlers: routers, content negotiation, caches. */
export const frontDefects: readonly Defect[] = [
  sometimes('escape-page', 'A broken percent-encoding is answered with an HTML page.', ofEscapes, {
    front: answers((request) => (hasBrokenEscape(request.url) ? page(400) : null)),
  }),
  sometimes(
    'escape-internal-error',
    'A broken percent-encoding is an internal error.',
    'SHR-ERR-007 SHR-ERR-022 also WCI-LST-014',
    {
      front: answers((request) =>
        hasBrokenEscape(request.url)
          ? Response.json(
              { success: false, error: 'INTERNAL_ERROR', message: 'URI malformed' },
              { status: 500 },
            )
          : null,
      ),
    },
  ),
  sometimes('body-too-large-page', 'A body over a mebibyte is answered with an HTML page.', 'SHR-ERR-040', {
    front: answers(({ headers }) => (Number(headers.get('content-length')) > 1 << 20 ? page(413) : null)),
  }),
  sometimes('header-too-large-page', 'A long header is answered with an HTML page.', 'SHR-ERR-040', {
    front: answers((request) => (sizeOf(request) > 16 << 10 ? page(431) : null)),
  }),
  sometimes('header-too-large-bad-request', 'A long header is a bad request, with a page.', 'SHR-ERR-040', {
    front: answers((request) => (sizeOf(request) > 8 << 10 ? page(400) : null)),
  }),
  sometimes(
    'accept-not-acceptable',
    'A client that does not ask for JSON by name gets a 406.',
    'SHR-ERR-017 WCI-LST-001 also SHR-ERR-016 SHR-ERR-018 WCI-STS-004 SHR-ERR-022 SHR-ERR-001 SHR-ERR-020',
    { front: answers((request) => (/json|\*\/\*/.test(accepts(request)) ? null : page(406))) },
  ),
  sometimes(
    'error-page-for-browsers',
    'Whoever accepts HTML gets errors as pages.',
    'SHR-ERR-001 SHR-ERR-020 also WCI-STS-004 SHR-ERR-022 SHR-ERR-009 SHR-ERR-003',
    {
      front: async (request, answer) => {
        const response = await answer();
        const isPage = response.status >= 400 && accepts(request).includes('text/html');
        return isPage ? page(response.status) : response;
      },
    },
  ),
  sometimes(
    'range-of-answer',
    'A range of bytes is cut out of an answer.',
    'SHR-ERR-017 WCI-LST-001 also SHR-ERR-016 SHR-ERR-018',
    {
      front: async (request, answer) => {
        const response = await answer();
        if (!request.headers.has('range') || response.status !== 200) return response;
        const text = await response.text();
        return new Response(text.slice(0, 10), { status: 206, headers: response.headers });
      },
    },
  ),
  sometimes(
    'not-modified-whatever-tag',
    'Every conditional read is answered with 304.',
    'SHR-ERR-017 WCI-LST-001 also SHR-ERR-016 SHR-ERR-018',
    {
      front: async (request, answer) => {
        const response = await answer();
        const isKnown = request.headers.has('if-none-match') && response.status === 200;
        return isKnown ? new Response(null, { status: 304 }) : response;
      },
    },
  ),
];
