import { readBody } from '../shared/body.ts';
import type { Answer, Caller, Incoming, Operation } from '../shared/call.ts';
import { invalid, Refusal } from '../shared/refusal.ts';
import { randomToken } from '../shared/tokens.ts';
import { turn } from '../shared/turn.ts';
import { refuseUnknown } from '../shared/unknownMembers.ts';
import { inspectCallbackData } from './callbackData.ts';
import type { WebCheckin } from './context.ts';
import { refuseWithout } from './entitlement.ts';
import { inspectFlights } from './flights.ts';
import { Inspection, isObject } from './inspection.ts';
import { judgeJourney, type Journey } from './journey.ts';
import { inspectPassengers } from './passengers.ts';
import { ownerOf } from './lookup.ts';
import type { Owner, SubscribeOutcome, Booking, Missing } from './policyTerms.ts';
import { announceCreation, announceIdle, waitingProgress } from './progress.ts';
import { findMissing } from './readiness.ts';
import type { Attempt, Callback, Leg, Passenger } from './records.ts';
import { recordView } from './view.ts';

interface SubscribeRequest {
  readonly pnr: string | null;
  readonly legs: readonly Leg[];
  readonly passengers: readonly Passenger[];
  readonly callback: Callback | null;
  /** Whether callbackData was there, as null. */
  readonly disclaims: boolean;
  /** How many attempts there were when it arrived. */
  readonly known: number;
  readonly inspection: Inspection;
}

/** A subscribe under way: who asks for what, and the journey that it comes to. */
interface Enrolment {
  readonly caller: Caller;
  readonly request: SubscribeRequest;
  readonly journey: Journey;
  readonly service: WebCheckin;
}

const members = ['pnr', 'flights', 'passengers', 'callbackData'];

/** POST /extPartner/api/webcheckin/subscribe */
export function subscribeOperation(service: WebCheckin): Operation<SubscribeRequest> {
  return {
    prepare: (incoming) => readRequest(incoming, service),
    run: (caller, request) => {
      const act = () => subscribe(caller, request, service);
      if (!service.policy.serializesSubscribes) return act();
      return service.locks.run(caller.enterprise.id, act);
    },
  };
}

async function readRequest(
  incoming: Incoming,
  { policy, clock, attempts }: WebCheckin,
): Promise<SubscribeRequest> {
  const body = await readBody(incoming, ['flights', 'passengers', 'callbackData'], policy);
  const inspection = new Inspection(policy, { operation: 'subscribe', multipart: body.multipart });
  if (!inspection.require(isObject(body.value), 'body.object', 'The body must be an object.'))
    inspection.refuse('journey');
  const value = body.value as Readonly<Record<string, unknown>>;
  if (!body.multipart) refuseUnknown(Object.keys(value), members, policy);
  const pnr = readPnr(body.multipart && policy.pnrPart === 'ignored' ? null : value.pnr, inspection);
  const legs = inspectFlights(value.flights, inspection);
  if (inspection.defects.length === 0)
    refuseEarly(
      judgeJourney(legs, clock.now(), policy, { multipart: body.multipart, incomplete: false }),
      policy,
    );
  const passengers = policy.enrolled(inspectPassengers(value.passengers, body, inspection));
  const callback = inspectCallbackData(value.callbackData, inspection);
  if (policy.quotaJudged !== 'inactive-first') inspection.refuse('payload');
  const disclaims = value.callbackData === null;
  return { pnr, legs, passengers, callback, disclaims, known: attempts.size, inspection };
}

/** Refuses a journey before the rest of the payload is judged, by mistake. */
function refuseEarly({ rejection }: Journey, { journeyFirst }: WebCheckin['policy']): void {
  if (rejection && journeyFirst(rejection.rule)) throw new Refusal(422, 'REJECTED', rejection.text);
}

/** A missing or invalid locator is recorded as missing information (POST subscribe, pnr). */
function readPnr(value: unknown, inspection: Inspection): string | null {
  const { policy } = inspection;
  const given = value !== undefined && value !== null;
  if (given && typeof value !== 'string' && policy.lenientTypes === 'refused')
    inspection.note('structure', 'pnr must be a string.');
  inspection.require(given, 'pnr.required', 'pnr is required.', { value });
  const pnr = typeof value === 'string' ? policy.canonicalCode(value) : null;
  const text = 'pnr is not a record locator.';
  inspection.require(pnr === null || policy.isPnr(pnr), 'pnr.format', text, { value: pnr });
  return pnr;
}

/** The processing order of the document after payload validation: quota, journey rules, create or reuse. */
async function subscribe(caller: Caller, request: SubscribeRequest, service: WebCheckin): Promise<Answer> {
  const { policy, clock, attempts } = service;
  const identity = bookingIdentity(ownerOf(caller), request, service);
  const found = attempts.findByBooking(identity);
  const existing = found && policy.reuses(found) ? found : undefined;
  const { multipart } = request.inspection.place;
  const incomplete = findMissing(request, policy).length > 0;
  const journey = judgeJourney(request.legs, clock.now(), policy, { multipart, incomplete });
  const enrolment = { caller, request, journey, service };
  if (request.inspection.late) return refuseLate(enrolment);
  for (const step of policy.steps) {
    if (step === 'quota' && policy.quotaJudged !== 'after') refuseUnentitled(enrolment);
    if (step === 'journey') request.inspection.refuse('journey');
    if (step === 'journey' && journey.rejection) return reject(enrolment);
    if (step !== 'reuse' || !existing) continue;
    request.inspection.refuse('journey');
    return reuse(existing, enrolment);
  }
  await turn();
  return create(identity, enrolment);
}

/** Refuses a malformed request that has left its traces, by mistake. */
function refuseLate(enrolment: Enrolment): Answer {
  const { request, service } = enrolment;
  const { late } = request.inspection;
  if (late?.deed === 'charged') charge('complete', enrolment);
  if (late?.deed === 'done') {
    const attempt = makeAttempt(findMissing(request, service.policy), enrolment);
    service.attempts.add(attempt, `refused ${attempt.checkinId}`);
  }
  throw late?.refusal ?? invalid('');
}

function reject(enrolment: Enrolment): Answer {
  const { journey, service } = enrolment;
  const { policy } = service;
  const reason = policy.reasonText(journey.rejection?.text ?? '');
  charge('rejected', enrolment);
  const kept = journey.rejection ? policy.recordsRejected(journey.rejection.rule) : 'no';
  if (kept !== 'no') recordRejected(enrolment, kept);
  const shape = !['leadTime', 'airline', 'horizon'].includes(journey.rejection?.rule ?? '');
  if (shape && policy.statusOf('itinerary') === 400) throw invalid(reason);
  if (policy.rejection === 'answered') {
    return { status: 200, body: { success: false, message: 'REJECTED', reason, missing_info: [] } };
  }
  throw new Refusal(422, 'REJECTED', `The journey was rejected: ${reason}`, policy.reasonMembers(reason));
}

function recordRejected(enrolment: Enrolment, kept: 'failed' | 'scheduled'): void {
  const { journey, service } = enrolment;
  const attempt = makeAttempt([], enrolment);
  const message = journey.rejection?.text ?? '';
  if (kept === 'failed')
    attempt.progress = { ...attempt.progress, status: 'FAILED', subStatus: 'REJECTED', message };
  attempt.scheduledAt = null;
  service.attempts.add(attempt, `rejected ${attempt.checkinId}`);
}

function reuse(attempt: Attempt, enrolment: Enrolment): Answer {
  const { caller, request, service } = enrolment;
  const { policy, attempts } = service;
  const units = charge(attempts.isAfter(attempt, request.known) ? 'raced' : 'repeated', enrolment);
  policy.onRepeat(attempt, request);
  const attaches = policy.repeatCallback === 'attached' && attempt.callback === null;
  if (request.callback && (attaches || policy.repeatCallback === 'replaced'))
    attempt.callback = request.callback;
  announceIdle(attempt, 'repeated subscribe', service);
  const quota = quotaShown(caller, units, service);
  return accepted({ message: policy.repeatMessage(attempt), attempt, quota }, service);
}

function refuseUnentitled({ caller, request, service }: Enrolment): void {
  const { entitlement } = caller.enterprise;
  const { multipart } = request.inspection.place;
  if (service.policy.quotaJudged === 'inactive-first' && entitlement.status === 'active')
    request.inspection.refuse('journey');
  refuseWithout(entitlement, multipart ? 'multipart subscribe' : 'subscribe', service.policy);
}

function create(identity: string, enrolment: Enrolment): Answer {
  const { caller, request, service } = enrolment;
  const { attempts, automation, policy } = service;
  const missing = findMissing(request, policy);
  const attempt = makeAttempt(missing, enrolment);
  attempts.add(attempt, identity);
  if (policy.quotaJudged === 'after') refuseUnentitled(enrolment);
  const units = charge(missing.length === 0 ? 'complete' : 'incomplete', enrolment);
  announceCreation(attempt, service);
  const isStarted = policy.startsAtOnce === 'in-response' || (missing.length > 0 && policy.startsIncomplete);
  if (isStarted && automation.isDue(attempt)) automation.start(attempt);
  automation.plan(attempt);
  const quota = quotaShown(caller, units, service);
  return accepted({ message: 'SCHEDULED', attempt, quota }, service);
}

function makeAttempt(missing: readonly Missing[], { caller, request, journey, service }: Enrolment): Attempt {
  const { policy, clock, random, moment, nextBookingNumbers, automation } = service;
  const made = moment();
  const createdAt = policy.writtenAt(made, 'created', null);
  const attempt: Attempt = {
    checkinId: policy.newCheckinId(random, made),
    bookingId: policy.bookingNumber(...nextBookingNumbers(caller.enterprise)),
    ...ownerOf(caller),
    legs: request.legs,
    madeAt: made.now,
    createdAt,
    departsAt: journey.legs[0]?.departsAt ?? clock.now(),
    pnr: request.pnr,
    passengers: request.passengers,
    callback: policy.registered(
      request.callback,
      () => ownAttempts(caller, service),
      request.inspection.place,
    ),
    progress: waitingProgress(missing, policy),
    scheduledAt: null,
    updatedAt: policy.writtenAt(made, 'updated', createdAt),
    rejectsResume: false,
    revision: 0,
  };
  attempt.scheduledAt = scheduledAt(attempt, automation.dueAt(attempt), service);
  return attempt;
}

/** What files a booking: its locator and flights, within its enterprise. */
export function bookingIdentity(owner: Owner, booking: Booking, { policy, random }: WebCheckin): string {
  const keyOf = policy.isPnr(booking.pnr) ? policy.bookingKey : policy.pnrlessKey;
  return policy.bookingScope(owner, keyOf(booking, randomToken(random, 8)));
}

/** When the automation is to run (Check-in request, scheduled_time). */
export function scheduledAt(attempt: Attempt, due: number, { policy, clock }: WebCheckin): number | null {
  if (policy.scheduledTime === 'always') return due;
  if (policy.scheduledTime === 'window') return due <= clock.now() ? due : null;
  return attempt.progress.missing.length === 0 ? due : null;
}

function ownAttempts({ enterprise }: Caller, { attempts }: WebCheckin): readonly Attempt[] {
  return [...attempts.all()].filter((attempt) => attempt.enterprise === enterprise);
}

/** Takes the units of a subscribe; returns how many. */
function charge(outcome: SubscribeOutcome, { caller, request, service }: Enrolment): number {
  const { policy } = service;
  const { multipart } = request.inspection.place;
  const units = policy.consumes(outcome, { ...request, multipart });
  caller.enterprise.entitlement.consumed_units += units;
  return units;
}

function quotaShown({ enterprise }: Caller, units: number, { policy }: WebCheckin): unknown {
  return policy.quotaShown(enterprise.entitlement, units);
}

function accepted(
  { message, attempt, quota }: { message: string; attempt: Attempt; quota: unknown },
  service: WebCheckin,
): Answer {
  const { policy } = service;
  const view = recordView(attempt, service);
  const fields = {
    message,
    booking_id: view.booking_id,
    checkin_id: view.checkin_id,
    status: view.status,
    sub_status: view.sub_status,
    missing_info: view.missing_info,
    status_message: view.checkin_message,
    quota,
  };
  return { status: 200, body: policy.subscribeBody(fields, attempt) };
}
