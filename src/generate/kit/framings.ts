import { createRandom, hash32 } from '../../core/random.ts';
import { encodeMultipart, type MultipartBody, type Part } from './multipart.ts';

/** A way to write a multipart body that its media type allows (RFC 2046, RFC 7578), as some clients write all of theirs. */
export interface Framing {
  readonly name: string;
  readonly write: (parts: readonly Part[], salt: string) => MultipartBody;
}

const eol = '\r\n';

/** What browsers, curl, Go, Java, .NET, Dart and gateways do. Bodies are UTF-8; a boundary is not part of them. */
export const framings: readonly Framing[] = [
  {
    name: 'a boundary with capital letters',
    write: bounded((id) => `----WebKitFormBoundary${capitals(id)}`),
  },
  { name: 'a boundary in quotes, with all characters of one', write: bounded((id) => `'()+_,-./:=?${id}`) },
  { name: 'a boundary of 70 characters', write: bounded((id) => id.padEnd(70, 'gatecheck')) },
  rewritten('header names in lower case', (head) =>
    head.replace(/^[\w-]+(?=:)/gm, (name) => name.toLowerCase()),
  ),
  rewritten('header names in capitals', (head) =>
    head.replace(/^[\w-]+(?=:)/gm, (name) => name.toUpperCase()),
  ),
  rewritten('names without quotes', (head) => head.replace(/; name="([\w-]+)"/g, '; name=$1')),
  rewritten('the type before the name, with a charset', (head) =>
    head.replace(/^(Content-Disposition.*)\r\n(Content-Type: text\/plain)$/m, `$2; charset=utf-8${eol}$1`),
  ),
  rewritten('a length and an encoding of each part', (head, length) =>
    [head, 'Content-Transfer-Encoding: 8bit', `Content-Length: ${length}`].join(eol),
  ),
  around('text before the first boundary', (text) => `This is a message in several parts.${eol}${text}`),
  around('text after the last boundary', (text) => `${text}This is the end.${eol}`),
  around('no line end after the last boundary', (text) => text.slice(0, -eol.length)),
];

/** A way to write the part of a file. */
export interface FileFraming extends Framing {
  /** Whether its media type does not allow it, or there is nothing in it, so that it may be refused. */
  readonly isDoubtful?: true;
}

const ofFile = (name: string, change: (head: string) => string): FileFraming =>
  rewritten(name, (head) => (head.includes('; filename=') ? change(head) : head));
const called = (fileName: string) => (head: string) =>
  head.replace(/; filename="[^"]*"/, () => `; filename=${fileName}`);

/** What .NET, curl, browsers, okhttp and old Windows programs write. */
export const fileFramings: readonly FileFraming[] = [
  {
    ...ofFile('a name with its charset beside it', called(`"scan.png"; filename*=utf-8''scan.png`)),
    isDoubtful: true,
  },
  {
    ...ofFile('a name with its charset alone', (head) =>
      head.replace(/; filename="[^"]*"/, "; filename*=utf-8''scan.png"),
    ),
    isDoubtful: true,
  },
  ofFile('a name beyond ASCII', called(`"${utf8('Müller 護照.png')}"`)),
  ofFile('a name with a quote behind a backslash', called(String.raw`"pass\"port.png"`)),
  ofFile('a name with a path', called(String.raw`"C:\fakepath\scan.png"`)),
  ofFile('a name without an ending', called('"scan"')),
  ofFile('a name without quotes', called('scan.png')),
  {
    ...ofFile('bytes of no named type', (head) =>
      head.replace(/(?<=Content-Type: ).*/, 'application/octet-stream'),
    ),
    isDoubtful: true,
  },
  ofFile('a binary encoding', (head) => [head, 'Content-Transfer-Encoding: binary'].join(eol)),
];

function bounded(boundaryOf: (id: string) => string): Framing['write'] {
  return (parts, salt) => {
    const random = createRandom(hash32(`framing/${salt}`));
    const id = Array.from({ length: 16 }, () => Math.floor(random() * 36).toString(36)).join('');
    const boundary = boundaryOf(id);
    const plain = encodeMultipart(parts, salt);
    const named = /^[\w-]+$/.test(boundary) ? boundary : `"${boundary}"`;
    const bytes = bytesOf(textOf(plain).replaceAll(`--${plain.boundary}`, `--${boundary}`));
    return { boundary, bytes, contentType: `multipart/form-data; boundary=${named}` };
  };
}

/** Some letters in capitals: a boundary that is compared without case is none of its own. */
function capitals(id: string): string {
  return id.replace(/[a-m]/g, (letter) => letter.toUpperCase());
}

function rewritten(name: string, change: (head: string, length: number) => string): Framing {
  return {
    name,
    write: (parts, salt) => {
      const plain = encodeMultipart(parts, salt);
      const [first = '', ...pieces] = textOf(plain).split(`--${plain.boundary}`);
      const written = pieces.map((piece) => {
        const end = piece.indexOf(eol + eol);
        if (end < 0) return piece;
        const length = piece.length - end - 3 * eol.length;
        return `${eol}${change(piece.slice(eol.length, end), length)}${piece.slice(end)}`;
      });
      return { ...plain, bytes: bytesOf([first, ...written].join(`--${plain.boundary}`)) };
    },
  };
}

function around(name: string, change: (text: string) => string): Framing {
  return {
    name,
    write: (parts, salt) => {
      const plain = encodeMultipart(parts, salt);
      return { ...plain, bytes: bytesOf(change(textOf(plain))) };
    },
  };
}

/** Each byte of a text as a character. */
function utf8(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** One character for each byte. */
function textOf({ bytes }: MultipartBody): string {
  return Buffer.from(bytes).toString('latin1');
}

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}
