import { z } from 'zod';

const count = z.int().min(0);
const text = z.string();

const limiter = z.strictObject({
  title: text,
  limit: count.describe('as documented, or as the configuration says'),
  windowMs: z.number().positive(),
  model: text.nullable().describe('id of the model that names it; null if none fits'),
  name: text.describe('the limiter that the decisions fit, in words'),
  like: text.exactOptional().describe('well-known products and set-ups that behave like this'),
  documented: z.boolean().describe('true if the documented limiter explains every decision'),
  contradictions: z.array(text).describe('requests that the documented limiter cannot explain'),
  notTried: z.array(text).describe('models that the run could not distinguish, and what would be needed'),
});
const models = z.array(z.strictObject({ name: text, fits: z.boolean(), contradictions: z.array(text) }));
const timelines = z.array(
  z.strictObject({
    title: text,
    limit: count,
    windowMs: z.number().positive(),
    requests: z.array(
      z.strictObject({
        atMs: z.number().min(0).describe('since the first request'),
        admitted: z.boolean(),
        exchange: text.exactOptional().describe('its id, if more than the limit were admitted with it'),
      }),
    ),
  }),
);

/** What the limit checks found. The reports draw the members named here; others are shown as they are. */
export const limitsSchema = z
  .object({
    limiters: z.array(limiter).optional(),
    models: models.optional().describe('limiter models, and what contradicts them'),
    timelines: timelines.optional(),
  })
  .catchall(z.json());

export type LimitsResult = z.infer<typeof limitsSchema>;

/** What one of them found, as the journal keeps it. */
export const foundSchema = z.strictObject({ limiter, models, timelines });
export type LimitsFound = z.infer<typeof foundSchema>;
