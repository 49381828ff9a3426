import { createRandom, hash32 } from '../../core/random.ts';
import type { FileFraming } from './framings.ts';
import type { Part } from './multipart.ts';

/** How a client writes a multipart body, as far as it may differ from other clients. */
interface Client {
  readonly name: string;
  /** What random characters are made of. */
  readonly alphabet: string;
  readonly boundary: (random: (count: number) => string) => string;
  /** The header lines of a part. */
  readonly head: (part: Part) => readonly string[];
  readonly quotesBoundary?: true;
  readonly isDoubtful?: true;
}

const hex = '0123456789abcdef';
const lower = '0123456789abcdefghijklmnopqrstuvwxyz';
const mixed = `${lower}ABCDEFGHIJKLMNOPQRSTUVWXYZ`;
const uuid = (random: (count: number) => string) => [8, 4, 4, 4, 12].map(random).join('-');

const disposition = ({ name, fileName }: Part): string =>
  `Content-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}`;
const typeOf = ({ contentType }: Part) => `Content-Type: ${contentType ?? 'text/plain'}`;

/** Only files have a type: what most clients write. */
const plainly = (part: Part): readonly string[] =>
  part.fileName === undefined ? [disposition(part)] : [disposition(part), typeOf(part)];
const withCharset = (part: Part, charset: string): string =>
  part.fileName === undefined ? `Content-Type: text/plain; charset=${charset}` : typeOf(part);

const clients: readonly Client[] = [
  {
    ...{ name: 'curl', alphabet: mixed, head: plainly },
    boundary: (random) => `${'-'.repeat(24)}${random(22)}`,
  },
  {
    ...{ name: 'Chromium and Safari', alphabet: mixed, head: plainly },
    boundary: (random) => `----WebKitFormBoundary${random(16)}`,
  },
  {
    ...{ name: 'Firefox', alphabet: hex, head: plainly },
    boundary: (random) => `----geckoformboundary${random(32)}`,
  },
  { name: 'Python requests and httpx', alphabet: hex, head: plainly, boundary: (random) => random(32) },
  {
    ...{ name: 'Go mime/multipart', alphabet: hex, isDoubtful: true, boundary: (random) => random(60) },
    head: (part) => plainly({ ...part, contentType: 'application/octet-stream' }),
  },
  { name: 'Java HttpClient with Methanol', alphabet: hex, head: plainly, boundary: uuid },
  {
    ...{ name: 'Apache HttpClient', alphabet: `${mixed}-_`, boundary: (random) => random(36) },
    head: (part) => [
      ...[disposition(part), withCharset(part, 'UTF-8')],
      `Content-Transfer-Encoding: ${part.fileName === undefined ? '8bit' : 'binary'}`,
    ],
  },
  {
    ...{ name: 'OkHttp', alphabet: hex, boundary: uuid },
    head: (part) => [
      ...[disposition(part), withCharset(part, 'utf-8')],
      `Content-Length: ${Buffer.from(part.content).length}`,
    ],
  },
  {
    ...{ name: '.NET', alphabet: hex, boundary: uuid, quotesBoundary: true, isDoubtful: true },
    head: (part) => [
      withCharset(part, 'utf-8'),
      `Content-Disposition: form-data; name=${part.name}${
        part.fileName === undefined
          ? ''
          : `; filename=${part.fileName}; filename*=utf-8''${encodeURIComponent(part.fileName)}`
      }`,
    ],
  },
  {
    ...{ name: 'axios with form-data', alphabet: hex, head: plainly },
    boundary: (random) => `${'-'.repeat(26)}${random(24)}`,
  },
  {
    ...{ name: 'undici', alphabet: '0123456789', head: plainly },
    boundary: (random) => `----formdata-undici-0${random(11)}`,
  },
  {
    ...{ name: 'Dart http', alphabet: `${mixed}+_-.` },
    boundary: (random) => `dart-http-boundary-${random(51)}`,
    head: (part) =>
      plainly(part)
        .map((line) => line.replace(/^[\w-]+/, (name) => name.toLowerCase()))
        .toReversed(),
  },
];

/** The bytes that each of the most used clients writes. They end with a line end, and none puts a text around the parts. */
export const clientFramings: readonly FileFraming[] = clients.map((client) => ({
  name: `as ${client.name} does`,
  ...(client.isDoubtful && { isDoubtful: true }),
  write: (parts, salt) => {
    const boundary = client.boundary(randomOf(client, salt));
    const written = parts.flatMap((part) => [
      Buffer.from(`--${boundary}\r\n${client.head(part).join('\r\n')}\r\n\r\n`),
      Buffer.from(part.content),
      Buffer.from('\r\n'),
    ]);
    const isQuoted = client.quotesBoundary === true || !/^[\w.+-]+$/.test(boundary);
    return {
      boundary,
      contentType: `multipart/form-data; boundary=${isQuoted ? `"${boundary}"` : boundary}`,
      bytes: Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)]),
    };
  },
}));

function randomOf({ name, alphabet }: Client, salt: string): (count: number) => string {
  const random = createRandom(hash32(`${name}/${salt}`));
  return (count) =>
    Array.from({ length: count }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
}
