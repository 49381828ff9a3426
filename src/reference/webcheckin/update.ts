import type { Answer, Caller, Operation } from '../shared/call.ts';
import { notFound, Refusal } from '../shared/refusal.ts';
import { turn } from '../shared/turn.ts';
import type { WebCheckin } from './context.ts';
import { refuseWithout } from './entitlement.ts';
import { ownerOf, visible } from './lookup.ts';
import type { Asking, Owner } from './policyTerms.ts';
import { announceIdle, moveAttempt, waitingProgress } from './progress.ts';
import { findMissing } from './readiness.ts';
import type { Attempt } from './records.ts';
import { bookingIdentity, scheduledAt } from './subscribe.ts';
import { readUpdate, type Identifier, type UpdateRequest } from './updateRequest.ts';
import { recordView } from './view.ts';

/** POST /extPartner/api/webcheckin/update */
export function updateOperation(service: WebCheckin): Operation<UpdateRequest> {
  return {
    prepare: (incoming) => readUpdate(incoming, service),
    run: (caller, request) => {
      const act = () => update(caller, request, service);
      return service.policy.serializesUpdates ? service.locks.run(caller.enterprise.id, act) : act();
    },
  };
}

async function update(caller: Caller, request: UpdateRequest, service: WebCheckin): Promise<Answer> {
  const { policy } = service;
  refuseWithout(caller.enterprise.entitlement, askingOf(request), policy);
  const attempt = locate(request, ownerOf(caller), service);
  const { pnr, passengers } = attempt;
  await turn();
  if (!policy.serializesUpdates) Object.assign(attempt, { pnr, passengers });
  const identity = identityAfter(attempt, request, service);
  const other = service.attempts.findByBooking(identity);
  const collides = request.type === 'pnr' && other !== undefined && other !== attempt;
  const conflict = policy.updateConflict(attempt, collides)
    ? new Refusal(409, policy.conflictCode, 'The request cannot be modified in its current state.')
    : null;
  if (conflict && policy.conflictJudged === 'before') throw conflict;
  store(attempt, request, identity, service);
  if (conflict) throw conflict;
  if (request.inspection.late) throw request.inspection.late.refusal;
  resume(attempt, service);
  const data = policy.updateAnswer(recordView(attempt, service));
  const type = policy.updateType(request.type);
  return { status: 200, body: policy.updateBody({ success: true, type, operation: 'update', data }) };
}

function askingOf({ form, type }: UpdateRequest): Asking {
  if (form.multipart) return 'multipart update';
  return type === 'pnr' ? 'pnr update' : 'update';
}

/** The first identifier decides; the others do not matter (POST update, checkin_id takes precedence). */
function locate(request: UpdateRequest, reader: Owner, service: WebCheckin): Attempt {
  const { policy } = service;
  const { identifiers, form } = request;
  const found = identifiers.map((identifier) => ({
    attempt: find(identifier, reader, service),
    reading: {
      operation: 'update',
      by: identifier.name,
      multipart: form.multipart,
      type: request.type,
    } as const,
  }));
  const sees = ({ attempt, reading }: (typeof found)[number]) =>
    attempt !== undefined && policy.sees(attempt, reader, reading);
  const isTaken = (one: (typeof found)[number]) =>
    policy.fallsBack === 'unknown' ? one.attempt !== undefined : sees(one);
  const first = (policy.fallsBack === 'never' ? undefined : found.find(isTaken)) ?? found[0];
  if (!first) throw notFound('No such check-in request.');
  if (first.attempt && !sees(first) && policy.unseenUpdate === 'stored')
    store(first.attempt, request, identityAfter(first.attempt, request, service), service);
  return visible(first.attempt, reader, first.reading, policy);
}

function find(
  { name, value }: Identifier,
  { enterprise }: Owner,
  { attempts, policy }: WebCheckin,
): Attempt | undefined {
  const byBooking = () => attempts.findByBookingId(value, enterprise);
  if (name === 'booking_id') return byBooking();
  return attempts.findById(value) ?? (policy.bookingIdAs(name) ? byBooking() : undefined);
}

function identityAfter(attempt: Attempt, request: UpdateRequest, service: WebCheckin): string {
  const { legs, passengers } = attempt;
  const pnr = request.type === 'pnr' ? request.pnr : attempt.pnr;
  return bookingIdentity(attempt, { pnr, legs, passengers }, service);
}

function store(attempt: Attempt, request: UpdateRequest, identity: string, service: WebCheckin): void {
  const { policy, moment } = service;
  if (policy.stores(request)) storeData(attempt, request, identity, service);
  attempt.revision += 1;
  policy.onUpdate(attempt, request.type, request);
  const before = attempt.progress;
  if (policy.reassesses(request)) reassess(attempt, service);
  if (attempt.progress === before) announceIdle(attempt, 'same update', service);
  const shows = request.type === 'pnr' || attempt.progress !== before;
  const writtenAt = policy.writtenAt(moment(), 'updated', attempt.createdAt);
  attempt.updatedAt = policy.updatedAt(writtenAt, request, shows) ?? attempt.updatedAt;
}

function storeData(
  attempt: Attempt,
  request: UpdateRequest,
  identity: string,
  { policy, attempts }: WebCheckin,
): void {
  if (request.type === 'passengers') {
    attempt.passengers = policy.mergePassengers(attempt.passengers, request.passengers, request.form);
  } else {
    attempt.pnr = request.pnr;
    if (policy.filesNewPnr) attempts.rename(attempt, identity);
  }
}

/** Finds out anew what is missing, as deployments may do after a while. */
function reassess(attempt: Attempt, service: WebCheckin): void {
  const { policy, clock, automation } = service;
  if (attempt.progress.status === 'IN_PROGRESS' || attempt.progress.status === 'COMPLETED') return;
  const missing = findMissing(attempt, policy);
  const settle = () => {
    moveAttempt(attempt, waitingProgress(missing, policy), 'update', service);
    attempt.scheduledAt = scheduledAt(attempt, automation.dueAt(attempt), service);
  };
  const completes = missing.length === 0 && attempt.progress.missing.length > 0;
  if (!completes || policy.completionDelayMs === 0) {
    settle();
    return;
  }
  const { revision } = attempt;
  clock.at(clock.now() + policy.completionDelayMs, () => {
    if (attempt.revision !== revision) return;
    settle();
    automation.plan(attempt);
  });
}

/** Lets the automation go on; a journey that is no longer possible is rejected although the data is stored. */
function resume(attempt: Attempt, service: WebCheckin): void {
  const { policy, clock, automation } = service;
  const tooLate = !policy.resumes(attempt.departsAt - clock.now());
  if (attempt.rejectsResume || tooLate) {
    attempt.rejectsResume = false;
    const stored = attempt.passengers;
    attempt.passengers = policy.unresumed(stored);
    if (attempt.passengers !== stored) reassess(attempt, service);
    const reason = tooLate
      ? 'It is too late for the flight.'
      : 'The airline does not accept the journey any more.';
    throw new Refusal(
      policy.resumeStatus,
      'REJECTED',
      `Check-in could not be resumed: ${policy.reasonText(reason)}`,
      policy.reasonMembers(policy.reasonText(reason)),
    );
  }
  automation.plan(attempt);
}
