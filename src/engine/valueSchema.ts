import { z } from 'zod';

const text = z.string();
const note = text.exactOptional().describe('what the kind alone does not say, such as `as before`');

const answer = z.strictObject({
  kind: z.literal('answer'),
  status: z.int(),
  code: text.exactOptional().describe('the error code of its body'),
  message: text.exactOptional().describe('the message of a body without an error code'),
  reason: text.exactOptional().describe('why, in the words of the target'),
  body: text.exactOptional().describe('what is wrong with its body as a whole'),
  note,
});

const simple = [
  z.strictObject({ kind: z.literal('value'), value: z.json(), note }).describe('a JSON value'),
  z.strictObject({ kind: z.literal('absent'), note }),
  z.strictObject({ kind: z.literal('type'), name: text, note }).describe('a type of JSON, such as array'),
  z.strictObject({ kind: z.literal('pattern'), name: text, note }).describe('a form that has a name'),
  answer,
  z.strictObject({ kind: z.literal('statuses'), statuses: z.array(z.int()), note }),
  z.strictObject({ kind: z.literal('accepted'), note }),
  z
    .strictObject({
      kind: z.literal('refused'),
      member: text.exactOptional(),
      value: z.json().exactOptional(),
      note,
    })
    .describe('a refusal of a request, or of a member of it'),
  z.strictObject({ kind: z.literal('change'), from: z.json(), to: z.json(), note }),
  z
    .strictObject({ kind: z.literal('count'), of: text, ids: z.array(text), note })
    .describe('several requests or callbacks that count together'),
  z
    .strictObject({ kind: z.literal('off'), value: z.json(), minutes: z.number(), note })
    .describe('a time that is off by as much'),
  z.strictObject({ kind: z.literal('text'), text, note }).describe('what cannot be said otherwise'),
] as const;

/** What was wanted at a place, or what came there. */
export const valueSchema = z.discriminatedUnion('kind', [
  ...simple,
  z.strictObject({
    kind: z.literal('one-of'),
    values: z.array(z.discriminatedUnion('kind', simple)),
    note,
  }),
]);
