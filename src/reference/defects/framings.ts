import type { SentParts } from '../shared/multipart.ts';
import { defectsOf, type Defect } from './row.ts';

const { sometimes } = defectsOf('webcheckin');

const boundaryOf = ({ contentType }: SentParts) => /boundary="?([^";]+)/i.exec(contentType)?.[1] ?? '';
const textOf = ({ bytes }: SentParts) => bytes.toString('latin1');

/** What nothing but its boundary tells from the plainest body has to be accepted with its file. */
const ofFiles = ' also WCI-MP-006';

/** Refuses each multipart body of which something is true. */
function refuses(
  id: string,
  breaks: string,
  isRefused: (sent: SentParts) => boolean,
  also: '' | typeof ofFiles = '',
): Defect {
  return sometimes(id, breaks, `WCI-MP-081${also}`, { readsParts: (sent) => !isRefused(sent) });
}

/** The same request with another body. */
function withBody({ url, method, headers }: Request, body: string): Request {
  return new Request(url, { method, headers, body });
}

/** Parsers that read the multipart bodies of some clients only. */
export const framingDefects: readonly Defect[] = [
  refuses('boundary-lower-cased', 'A boundary with capital letters is looked for in lower case.', (sent) =>
    /[A-Z]/.test(boundaryOf(sent)),
  ),
  refuses('boundary-of-few-characters', 'A boundary has letters, digits and hyphens only.', (sent) =>
    /[^\w-]/.test(boundaryOf(sent)),
  ),
  refuses(
    'boundary-of-60-characters',
    'A boundary has at most 60 characters.',
    (sent) => boundaryOf(sent).length > 60,
  ),
  refuses(
    'boundary-of-50-characters',
    'A boundary has at most 50 characters.',
    (sent) => boundaryOf(sent).length > 50,
    ofFiles,
  ),
  refuses(
    'boundary-of-hyphens',
    'A boundary that begins with many hyphens is not found.',
    (sent) => boundaryOf(sent).startsWith('-'.repeat(20)),
    ofFiles,
  ),
  refuses(
    'boundary-of-digits',
    'A boundary that begins with a digit is not found.',
    (sent) => /^\d/.test(boundaryOf(sent)),
    ofFiles,
  ),
  refuses('part-charset-refused', 'A part that names its charset is refused.', (sent) =>
    /\ncontent-type: text\/plain; *charset/i.test(textOf(sent)),
  ),
  sometimes('chunked-body-empty', 'A body without a length is read as empty.', 'WCI-MP-081', {
    chunkedBody: (request) => Promise.resolve(withBody(request, '')),
  }),
  sometimes('chunked-body-first-chunk', 'Only the first chunk of a body is read.', 'WCI-MP-081', {
    chunkedBody: async (request) => withBody(request, (await request.text()).slice(0, 61)),
  }),
  sometimes('chunked-body-500', 'A body without a length is an internal error.', 'WCI-MP-081', {
    chunkedBody: () =>
      Promise.resolve(
        Response.json({ success: false, error: 'INTERNAL_ERROR', message: 'length' }, { status: 500 }),
      ),
  }),
  refuses('part-length-refused', 'A part that names its length is refused.', (sent) =>
    /\ncontent-length:/i.test(textOf(sent)),
  ),
  refuses('part-header-case', 'The header names of a part are compared with their case.', (sent) =>
    /\n(content-disposition|CONTENT-DISPOSITION):/.test(textOf(sent)),
  ),
  refuses('part-names-in-quotes', 'A part whose name stands without quotes is not found.', (sent) =>
    /; name=[^"]/.test(textOf(sent)),
  ),
  refuses('part-disposition-first', 'The first header of a part has to be its disposition.', (sent) =>
    textOf(sent).includes(`--${boundaryOf(sent)}\r\nContent-Type:`),
  ),
  refuses('part-encoding-refused', 'A part that names its encoding is refused.', (sent) =>
    /\ncontent-transfer-encoding:/i.test(textOf(sent)),
  ),
  refuses(
    'parts-from-the-start',
    'A body that begins with a text before its first boundary is not read.',
    (sent) => !textOf(sent).startsWith('--'),
  ),
  refuses(
    'parts-to-the-end',
    'A body with a text after its last boundary is not read.',
    (sent) => !/--(\r\n)?$/.test(textOf(sent)),
  ),
  refuses('parts-end-with-line', 'A body without a line end after its last boundary is not read.', (sent) =>
    textOf(sent).endsWith('--'),
  ),
];
