/** What the checks of the two rate limits use. */

export * from '../../src/judge/limits/attribute.ts';
export * from '../../src/judge/limits/decision.ts';
export * from '../../src/limits/schedule.ts';
export * from './waits.ts';
export * from '../../src/judge/limits/identify.ts';
export * from '../../src/judge/limits/models.ts';
export * from '../../src/judge/limits/ofTheHour.ts';
export * from '../../src/judge/limits/refusedOtherwise.ts';
export * from './retryAfter.ts';
export * from '../../src/judge/limits/tolerance.ts';
export * from '../../src/core/windowLimit.ts';
