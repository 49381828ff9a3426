import { z } from 'zod';
import type { Finding } from '../engine/finding.ts';

const storedSteps = z.object({
  steps: z.array(
    z.object({
      method: z.string(),
      target: z.string(),
      key: z.string().nullable(),
      body: z.string().nullable(),
      status: z.number().nullable(),
      code: z.string().nullable(),
    }),
  ),
});

/** One request of a failing case, for reading. */
export interface Step {
  /** `POST /extPartner/api/webcheckin/update with primary#1: HTTP 200` */
  readonly line: string;
  readonly body: string | null;
}

/** The requests of the stored failing case, in order; none where the finding holds no case. */
export function stepsOf(finding: Finding): readonly Step[] {
  const parsed = storedSteps.safeParse(finding.case);
  if (!parsed.success) return [];
  return parsed.data.steps.map(({ method, target, key, body, status, code }) => {
    const answer = status === null ? 'no answer' : `HTTP ${status}${code === null ? '' : ` ${code}`}`;
    return { line: `${method} ${target}${key === null ? '' : ` with ${key}`}: ${answer}`, body };
  });
}

const storedDeliveries = z.object({
  deliveries: z.array(
    z.object({
      id: z.string(),
      method: z.string(),
      target: z.string(),
      headers: z.array(z.tuple([z.string(), z.string()])),
      body: z.string(),
      answer: z.string(),
    }),
  ),
});

/** The callbacks that showed a finding, in order of arrival: as received, and what the sink answered. */
export function callbacksOf(finding: Finding): readonly Step[] {
  const parsed = storedDeliveries.safeParse(finding.case);
  if (!parsed.success) return [];
  return parsed.data.deliveries.map(({ id, method, target, headers, body, answer }) => ({
    line: `${id}: ${method} ${target}, answered ${answer}`,
    body: [...headers.map(([name, value]) => `${name}: ${value}`), '', body].join('\n'),
  }));
}
