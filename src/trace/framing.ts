import { bufferOf } from '../core/bytes.ts';
import { boundaryIn, type SentPart } from './parts.ts';

/** What about a multipart body may differ from the plainest way to write it, where its media type allows both. */
export const framingTraits = [
  'boundary-with-capitals',
  'boundary-of-other-characters',
  'boundary-of-more-than-60-characters',
  'part-header-in-other-case',
  'part-name-without-quotes',
  'part-header-before-its-name',
  'part-type-with-charset',
  'part-with-further-headers',
  'text-before-the-parts',
  'text-behind-the-parts',
  'no-line-end-at-the-end',
  'file-name-beyond-ascii',
  'file-name-without-quotes',
  'file-name-with-backslash',
] as const;

/** What its media type does not allow, or what is left open: a service may refuse it. */
export const doubtfulTraits = ['file-name-with-charset', 'file-without-bytes', 'file-of-other-type'] as const;

type FramingTrait = (typeof framingTraits)[number] | (typeof doubtfulTraits)[number];

/** The traits of a multipart body whose parts were read. */
export function framingOf(
  body: Uint8Array,
  contentType: string,
  parts: readonly SentPart[],
): readonly FramingTrait[] {
  const boundary = boundaryIn(contentType) ?? '';
  const [start, end] = [`--${boundary}`, `--${boundary}--`];
  const bytes = bufferOf(body);
  const rest = bytes.toString('latin1', bytes.lastIndexOf(end) + end.length);
  const has = (form: RegExp) => parts.some(({ head }) => form.test(head));
  const files = parts.filter(({ isFile }) => isFile);
  const found: Readonly<Record<FramingTrait, boolean>> = {
    'boundary-with-capitals': /[A-Z]/.test(boundary),
    'boundary-of-other-characters': /[^\w-]/.test(boundary),
    'boundary-of-more-than-60-characters': boundary.length > 60,
    'part-header-in-other-case': has(/^(content|CONTENT|Content-[a-zA-Z]*[A-Z]{2})/m),
    'part-name-without-quotes': has(/;\s*name=[^"]/i),
    'part-header-before-its-name': has(/^(?!content-disposition:)/i),
    'part-type-with-charset': has(/^content-type:.*charset/im),
    'part-with-further-headers': has(/^(?!content-(disposition|type):)[\w-]+:/im),
    'text-before-the-parts': bytes.toString('latin1', 0, start.length) !== start,
    'text-behind-the-parts': rest.trim() !== '',
    'no-line-end-at-the-end': rest === '',
    'file-name-beyond-ascii': has(/;\s*filename="[^"]*[^ -~"]/i),
    'file-name-without-quotes': has(/;\s*filename=[^"]/i),
    'file-name-with-backslash': has(/;\s*filename="[^"]*\\/i),
    'file-name-with-charset': has(/;\s*filename\*=/i),
    'file-without-bytes': files.some(({ content }) => content.length === 0),
    'file-of-other-type': files.some(({ head }) => !/^content-type:\s*(image|application\/pdf)/im.test(head)),
  };
  return [...framingTraits, ...doubtfulTraits].filter((trait) => found[trait]);
}
