import { z } from 'zod';

const text = z.string();
const size = z.int().min(-1);
const ms = z.number().min(0);
const pair = z.strictObject({ name: text, value: text });

/** HAR allows members of one's own where their names begin with an underscore. */
function harObject<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = new Set(Object.keys(shape));
  return z
    .looseObject(shape)
    .refine((value) => Object.keys(value).every((name) => known.has(name) || name.startsWith('_')), {
      error: 'a member that HAR 1.2 does not know',
    });
}

/** HAR 1.2 with every member that the specification requires, written by hand. */
export const harSchema = z.strictObject({
  log: z.strictObject({
    version: z.literal('1.2'),
    creator: z.strictObject({ name: text, version: text }),
    comment: text.optional(),
    entries: z.array(
      harObject({
        startedDateTime: z.iso.datetime(),
        time: ms,
        request: harObject({
          method: text.min(1),
          url: z.url(),
          httpVersion: text,
          cookies: z.array(z.never()),
          headers: z.array(pair),
          queryString: z.array(pair),
          postData: harObject({ mimeType: text, text }).optional(),
          headersSize: size,
          bodySize: size,
        }),
        response: harObject({
          status: z.int().min(0),
          statusText: text,
          httpVersion: text,
          cookies: z.array(z.never()),
          headers: z.array(pair),
          content: harObject({
            size: z.int().min(0),
            mimeType: text,
            text,
            encoding: z.literal('base64').optional(),
          }),
          redirectURL: text,
          headersSize: size,
          bodySize: size,
        }),
        cache: z.strictObject({}),
        timings: z.strictObject({ send: ms, wait: ms, receive: ms }),
      }),
    ),
  }),
});
