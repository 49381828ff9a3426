/** Everything for writing a check: suites and their helpers import from here, and from nowhere else in src. */

// Defining checks
export { fixed, passive, property, sparing, suite, table, type EngineCheck } from '../src/engine/suite.ts';
export { minuteTitle } from '../src/engine/keys/limitsResult.ts';
export { lastLook } from '../src/engine/session/order.ts';
export { refusing } from '../src/plan/check.ts';
export { rulesOf } from '../src/engine/suite.ts';
export type { CheckContext, Judgements } from '../src/engine/attempt/context.ts';
export { CaseUnclear, CheckSkipped } from '../src/engine/attempt/signals.ts';
export { keyOfEarlierRun } from '../src/engine/findings/skipReasons.ts';

// Sending: requests, keys and their outcomes
export type { ApiKey } from '../src/send/keyRing.ts';
export * from '../src/send/request.ts';
export type { Delivery, Exchange } from '../src/core/evidence.ts';

// Records, flights and settings of a run
export { recordOf, withoutPassports, type OwnRecord } from '../src/engine/fixtures/fixtures.ts';
export { putFlight, type FlightSubscription } from '../src/engine/fixtures/flightFixtures.ts';
export { isOfBook } from '../src/engine/observe/recordBook.ts';
export type { Itinerary } from '../src/core/settings.ts';
export { ownershipOf } from '../src/plan/budgets.ts';

// Callbacks: where they arrive and how they are answered
export type { CallbackAddress, Waited } from '../src/engine/observe/callbacks.ts';
export { accepting, answerStatus, type Script, type ScriptedAnswer } from '../src/receive/script.ts';

// Judging: any answer
export * as is from '../src/spec/kernel/value.ts';
export * from './vocabulary/acceptance.ts';
export * from '../src/judge/kernel/answer.ts';
export {
  bareObjectOf,
  headerOf,
  isObject,
  memberOf,
  objectOf,
  responseOf,
  type JsonObject as AnswerObject,
  type Json,
} from '../src/judge/kernel/body.ts';
export * from './vocabulary/compare.ts';
export * from '../src/spec/rules/indistinguishable.ts';
export * from '../src/judge/kernel/judgement.ts';
export { jsonWords } from '../src/spec/wording/words.ts';
export * from '../src/spec/kit/timestamp.ts';
export * from './vocabulary/refusedKey.ts';

// Judging: web check-in
export { lateMs } from '../src/spec/world/owners.ts';
export * from '../src/spec/world/toldChanges.ts';
export * from '../src/spec/kit/equalField.ts';
export * from './vocabulary/listedClock.ts';
export * from './vocabulary/listing.ts';
export * from './vocabulary/quota.ts';
export * from './vocabulary/readiness.ts';
export * from './vocabulary/rejection.ts';
export * from '../src/spec/world/webhookEvent.ts';
export * from '../src/spec/world/hookedRecord.ts';
export * from '../src/trace/delivered.ts';
export * from './vocabulary/webhookOrder.ts';

// Judging: flight alerts
export * from '../src/spec/rules/noticeValues.ts';
export { merged } from '../src/spec/world/flights.ts';
export * from '../src/spec/world/legs.ts';
export { isJsonType } from '../src/spec/grammar/headers.ts';
export { valueAt } from '../src/spec/rules/legMembers.ts';
export { legOrder } from '../src/spec/rules/legOrders.ts';
export { found } from '../src/judge/kernel/sample.ts';
export { judgeInFront } from '../src/judge/shared/answers.ts';
export * from './vocabulary/flightAnswer.ts';
export * from '../src/spec/world/upstream.ts';

// JSON, time and randomness
export * from '../src/spec/kit/json.ts';
export * from '../src/spec/kit/localTime.ts';
export { deriveSeed, hash32 } from '../src/core/random.ts';

// Generators of payloads, and the types of what they make
export * as fc from 'fast-check';
export * as generate from './vocabulary/generators.ts';
export type { FlightLeg } from '../src/generate/flightAlerts/flightSubscription.ts';
export type { LookupQuery } from '../src/generate/flightAlerts/corruptions.ts';
export type {
  NotificationCommand,
  NotificationScenario,
  SinkFault,
} from '../src/generate/flightAlerts/notificationScenario.ts';
export type { SubscriptionCommand } from '../src/generate/flightAlerts/subscriptionCommands.ts';
export type { LegChanges, Route } from '../src/generate/flightAlerts/upstreamLeg.ts';
export type { Corruption } from '../src/generate/kit/corruption.ts';
export type { Part } from '../src/generate/kit/multipart.ts';
export type { RawBody } from '../src/generate/kit/rawBodies.ts';
export type { DateTimeForm } from '../src/spec/grammar/clockSpelling.ts';
export type { TolerantListQuery } from '../src/generate/webcheckin/listQueries.ts';

// Passive oracles, each shown by one check
export * as oracles from './vocabulary/oracles.ts';

// The two rate limits: schedules, models and retryAfter
export * as limits from './vocabulary/limits.ts';
