/** What the checks of the two rate limits use. */

export * from '../../src/limits/attribute.ts';
export * from '../../src/limits/decision.ts';
export * from '../../src/limits/hourSchedule.ts';
export * from '../../src/limits/hourWaits.ts';
export * from '../../src/limits/identify.ts';
export * from '../../src/limits/models.ts';
export * from '../../src/limits/ofTheHour.ts';
export * from '../../src/limits/refusedOtherwise.ts';
export * from '../../src/limits/retryAfter.ts';
export * from '../../src/limits/schedule.ts';
export * from '../../src/core/windowLimit.ts';
