import { always } from '../kit/mutation.ts';
import { doubtfulTraits, framingTraits } from '../../trace/parts.ts';
import type { JsonObject } from '../kit/json.ts';
import { free, is, isList, isText, like, open, other, type Form, type Table } from './form.ts';

/** What a request has around its members: its content type and, of a multipart body, its parts. */
export interface Envelope {
  readonly contentType: string | null;
  /** The parts that carry JSON text. */
  readonly named: readonly { readonly name: string; readonly type: string }[];
  /** How the others are written: their type, and whether they stand in quotes. */
  readonly texts: readonly { readonly type: string; readonly isQuoted: boolean }[];
  /** With the member that holds the `file_field` by which they are bound; null for one that none names. */
  readonly files: readonly { readonly name: string; readonly of: string | null }[];
  readonly isFileFirst: boolean;
  /** What about the way in which a multipart body is written differs from the plainest one. */
  readonly framing: readonly { readonly name: string }[];
  /** Whether each file is named by one `file_field`, and none of these names another part. */
  readonly isBound: boolean;
  /** Sent in chunks, without its length: HTTP lets a server ask for that. */
  readonly isChunked: boolean;
}

const none = always((object: JsonObject) => object);
const isPlainType = like(/^text\/plain(;\s*charset="?utf-8"?)?$/i);
/** Names of files that objects of some languages have already. */
const ofMethods = like(/^(constructor|__proto__|toString|valueOf|hasOwnProperty)$/);
const only =
  (operation: string, fits: Form['fits']): Form['fits'] =>
  (value, asked) =>
    asked.operation === operation && fits(value, asked);
const withCharset = like(/^application\/json; ?charset=utf-8$/);
/** In other letters, with quotes and with blanks. */
const isJson: Form['fits'] = (type, { operation }) =>
  isText(type) &&
  operation.startsWith('wci.') &&
  type !== 'application/json' &&
  /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type);
const isPlain = (type: unknown) =>
  type === null ||
  (isText(type) && /^(application\/json|multipart\/form-data;\s*boundary=[^\s;"]+)$/.test(type));

/** The forms of what is around the members of a request. */
export const envelopeTable: Table = {
  contentType: {
    forms: [
      free('WCI-SUB-060', 'content-type-with-charset', only('wci.subscribe', withCharset), none),
      free('WCI-UPD-043', 'content-type-with-charset', only('wci.update', withCharset), none),
      free('SHR-ERR-039', 'json-type-otherwise', isJson, none),
      free('WCI-MP-080', 'boundary-in-quotes', like(/^multipart\/form-data;\s*boundary="[^"]+"$/i), none),
      open('content-type-otherwise', (type) => !isPlain(type), none),
    ],
  },
  named: {
    forms: [],
    each: {
      // Without a type it is text/plain.
      type: {
        forms: [
          free('WCI-MP-002', 'part-without-type', is(''), none),
          free('WCI-MP-002', 'part-of-text', isPlainType, none),
          open('part-of-other-type', other, none),
        ],
      },
      name: {
        forms: [
          free('WCI-MP-003', 'part-callback', is('callbackData'), none),
          free('WCI-MP-013', 'part-payload', is('payload'), none),
          free('WCI-MP-012', 'part-passengers', only('wci.update', is('passengers')), none),
        ],
      },
    },
  },
  // In which form these travel is open (WCI-OPN-005).
  texts: {
    forms: [],
    each: {
      type: { forms: [open('text-part', other, none)] },
      isQuoted: { forms: [open('text-part', other, none)] },
    },
  },
  files: {
    forms: [free('WCI-MP-009', 'several-files', (files) => isList(files) && files.length > 1, none)],
    each: {
      name: {
        forms: [
          free('WCI-MP-008', 'file-of-any-name', like(/\W/), none),
          free('WCI-MP-008', 'file-named-as-a-method', ofMethods, none),
        ],
      },
      of: {
        forms: [
          free('WCI-MP-006', 'scan-of-passport', is('passport'), none),
          free('WCI-MP-007', 'scan-of-document', is('documents'), none),
        ],
      },
    },
  },
  framing: {
    forms: [],
    each: {
      name: {
        forms: [
          ...framingTraits.map((trait) => free('WCI-MP-081', trait, is(trait), none)),
          ...doubtfulTraits.map((trait) => open(trait, is(trait), none)),
        ],
      },
    },
  },
  isFileFirst: { forms: [free('WCI-MP-070', 'file-first', is(true), none)] },
  isBound: { forms: [open('files-not-bound', is(false), none)] },
  isChunked: { forms: [open('sent-in-chunks', is(true), none)] },
};
