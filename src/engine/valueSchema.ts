import { z } from 'zod';

const text = z.string();
const json = z.json();
const of = text.exactOptional().describe('the member of the request that it is about');
const note = text.exactOptional().describe('what the kind alone does not say, such as `as before`');

const answer = z.strictObject({
  kind: z.literal('answer'),
  status: z.int(),
  code: text.exactOptional().describe('the error code of its body'),
  message: text.exactOptional().describe('the message of a body without an error code'),
  reason: text.exactOptional().describe('why, in the words of the target'),
  body: text.exactOptional().describe('what is wrong with its body as a whole'),
  note,
  of,
});

const simple = [
  z.strictObject({ kind: z.literal('value'), value: json, note, of }).describe('a JSON value'),
  z.strictObject({ kind: z.literal('absent'), note, of }),
  z.strictObject({ kind: z.literal('type'), name: text, note, of }).describe('a type of JSON, such as array'),
  z.strictObject({ kind: z.literal('pattern'), name: text, note, of }).describe('a form that has a name'),
  answer,
  z.strictObject({ kind: z.literal('statuses'), statuses: z.array(z.int()), note, of }),
  z.strictObject({ kind: z.literal('other-than'), statuses: z.array(z.int()), note, of }),
  z.strictObject({ kind: z.literal('accepted'), note, of }),
  z
    .strictObject({
      kind: z.literal('refused'),
      value: json.exactOptional(),
      note,
      of,
    })
    .describe('a refusal of a request, or of a member of it'),
  z.strictObject({ kind: z.literal('change'), from: json, to: json, note, of }),
  z
    .strictObject({
      kind: z.literal('count'),
      text,
      ids: z.array(text),
      model: text.nullable().exactOptional().describe('the limiter that they fit; null where none does'),
      note,
      of,
    })
    .describe('several requests or callbacks that count together'),
  z
    .strictObject({ kind: z.literal('number'), value: z.number(), things: text, note, of })
    .describe('so many of something'),
  z
    .strictObject({
      kind: z.literal('range'),
      from: json,
      to: json,
      things: text.exactOptional(),
      note,
      of,
    })
    .describe('a value, or a number of things, within bounds; null where there is none'),
  z
    .strictObject({ kind: z.literal('whose'), whose: text, note, of })
    .describe('what is not shown but by what it belongs to'),
  z
    .strictObject({ kind: z.literal('telling'), changes: json, note, of })
    .describe('a callback that tells these changes'),
  z
    .strictObject({ kind: z.literal('off'), value: json, minutes: z.number(), note, of })
    .describe('a time that is off by as much'),
  z.strictObject({ kind: z.literal('text'), text, note, of }).describe('what cannot be said otherwise'),
] as const;

/** What was wanted at a place, or what came there. */
export const valueSchema = z.discriminatedUnion('kind', [
  ...simple,
  z.strictObject({
    kind: z.literal('one-of'),
    values: z.array(z.discriminatedUnion('kind', simple)),
    note,
    of,
  }),
]);
