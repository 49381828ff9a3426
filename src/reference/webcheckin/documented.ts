import { randomToken } from '../shared/tokens.ts';
import type { JourneyRule, WebCheckinPolicy } from './policy.ts';
import { payloadRules } from './payloadRules.ts';
import { documentedClockFormat, formatClock } from './clockText.ts';
import { findAirline } from '../data/airlines.ts';
import { instantInZone } from '../shared/localTime.ts';
import { isBlank } from './readiness.ts';
import type { Leg, Passenger } from './records.ts';

const HOUR = 3_600_000;

export const documentedWebCheckinPolicy: WebCheckinPolicy = {
  breaksOn: () => false,
  refusedPayload: () => 'nothing',
  enforces: (rule) => payloadRules[rule],
  statusOf: (kind) => (['itinerary', 'timezone', 'callback'].includes(kind) ? 422 : 400),
  stageOf: (kind) => (kind === 'itinerary' ? 'journey' : 'payload'),
  readAirline: (code) => code,
  isAirlineCode: (code) => /^[A-Za-z0-9]{2}$/.test(code),
  isAirportCode: (code) => /^[A-Za-z]{3}$/.test(code),
  canonicalCode: (code) => code,
  clockFormat: documentedClockFormat,
  clockCorners: 'refused',
  documentTypes: ['VISA', 'IQAMA', 'PR_CARD', 'GREEN_CARD'],
  rowPreferences: ['front', 'middle', 'rear'],
  columnPreferences: ['window', 'middle', 'aisle'],
  matchesOneOf: (value, allowed) => typeof value === 'string' && allowed.includes(value),
  isEmail: (text) => /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/.test(text),
  lenientTypes: 'documented',
  missingNames: 'refused',
  unboundFiles: 'ignored',
  readAuthHeader: (text) => text,
  authHeaderNames: ['x-api-key', 'authorization'],
  authHeaderCorners: 'refused',
  clientIdentity: 'optional',
  clientTypes: 'ignored',
  pnrPart: 'read',
  quotaAllows: ({ status, included_units, consumed_units }) =>
    status === 'active' && consumed_units < included_units,
  consumes: (outcome) => (outcome === 'complete' || outcome === 'incomplete' ? 1 : 0),
  quotaJudged: 'before',
  quotaShown: ({ included_units, consumed_units }) => ({ included_units, consumed_units }),
  quotaRefusal: { status: 402, code: 'QUOTA_EXHAUSTED' },
  needsEntitlement: (operation) => operation === 'subscribe',
  steps: ['quota', 'journey', 'reuse'],
  serializesSubscribes: true,
  judges: documentedJourneyRules,
  supportsAirline: (code) => findAirline(code) !== undefined,
  departureInstant: (wall, _suffix, zone) => instantInZone(wall, zone),
  arrivalInstant: (wall, _suffix, zone) => instantInZone(wall, zone),
  clockOrder: (leg) => leg.departsAt,
  leadTimeMet: (leadMs) => leadMs >= 6 * HOUR,
  rejection: 'refused',
  recordsRejected: 'no',
  reasonText: (reason) => reason,
  reasonMembers: (reason) => ({ reason }),
  bookingKey: ({ pnr, legs }) => `${pnr ?? ''} ${flightsIdentity(legs)}`,
  pnrlessKey: ({ legs, passengers }) => `- ${flightsIdentity(legs)} ${namesOf(passengers)}`,
  bookingScope: ({ enterprise }, key) => `${enterprise.id} ${key}`,
  onRepeat: () => undefined,
  repeatCallback: 'ignored',
  repeatMessage: () => 'ALREADY_SUBSCRIBED',
  reuses: () => true,
  registered: (sent) => sent,
  needs: () => true,
  isPnr: (pnr) => typeof pnr === 'string' && /^[A-Z0-9]{6}$/.test(pnr),
  isInternational: (countries) => countries.some(([from, to]) => from !== to),
  emailRule: (valid) => valid.includes(true),
  scanReplacesPassport: () => false,
  nationalityOf: (passport, passenger) => (isBlank(passport) ? passenger : passport),
  furtherFields: [],
  missingItem: ({ field, passenger }) => (passenger === null ? field : `passengers[${passenger}].${field}`),
  missingSubStatus: () => 'MISSING_INFO',
  completeSubStatus: 'COMPLETE_INFO',
  sees: (attempt, reader) => attempt.enterprise === reader.enterprise,
  foreignRecord: () => 'missing',
  newCheckinId: (random) => `wci_${randomToken(random, 20)}`,
  bookingNumber: (running) => running,
  writtenAt: ({ now }) => now,
  stateText: (text) => text,
  messageShown: (message) => message,
  missingShown: (missing) => missing,
  timestamp: (ms) => new Date(ms).toISOString(),
  unfinishedPasses: 'empty',
  finishedPasses: (passes) => passes,
  bookingIdShown: (id) => id,
  scheduledTime: 'complete',
  onRead: () => undefined,
  statusBody: (fields) => ({ success: true, ...fields }),
  subscribeBody: (fields) => ({ success: true, ...fields }),
  emptyIdentifier: 'invalid',
  aliasConflict: 'main',
  statusAliases: ['checkin_id', 'checkinId'],
  defaultLimit: 25,
  clampLimit: (limit) => Math.min(100, Math.max(1, limit)),
  defaultPage: 0,
  invalidPage: 'zero',
  outOfRangeLimit: 'clamped',
  nonNumericLimit: 'default',
  invalidFilter: 'ignored',
  unknownFilter: () => null,
  listLagMs: 0,
  filters: (attempt, status) => attempt.progress.status === status,
  filtersFirst: true,
  listOrder: (one, other) => other.createdAt - one.createdAt || other.bookingId - one.bookingId,
  window: (page, limit) => [page * limit, (page + 1) * limit],
  totals: (matching, _all, limit) => ({ total: matching, totalPages: Math.ceil(matching / limit) }),
  beyondEnd: 'empty',
  emptyPages: 0,
  departureNames: ['departure_datetime'],
  departureValue: (leg) => formatClock(leg.departure),
  listedDestination: 'last',
  listBody: (body) => body,
  listItem: (item) => item,
  updateConflict: ({ progress }, collides) =>
    collides || progress.status === 'IN_PROGRESS' || progress.status === 'COMPLETED',
  identifiers: 'precedence',
  identifierOrder: () => ['checkin_id', 'webcheckin_id', 'booking_id'],
  conflictJudged: 'before',
  unseenUpdate: 'nothing',
  fallsBack: 'never',
  untypedPayload: 'accepted',
  contradictingType: 'wins',
  nestedPassengers: 'read',
  newPnr: (_body, payload) => payload.pnr,
  mergePassengers: (_stored, sent) => sent,
  updatedAt: (now) => now,
  filesNewPnr: true,
  updateType: (type) => type,
  reassesses: () => true,
  updateAnswer: (fields) => fields,
  updateBody: (body) => body,
  conflictCode: 'UPDATE_CONFLICT',
  completionDelayMs: 0,
  onUpdate: () => undefined,
  resumes: (leadMs) => leadMs > 0,
  resumeStatus: 422,
  windowMs: 24 * HOUR,
  bookingHorizonDays: null,
  automatedSubStatus: {
    SCHEDULED: 'QUEUED',
    IN_PROGRESS: 'CHECKIN_STARTED',
    COMPLETED: 'BOARDING_PASS_AVAILABLE',
    FAILED: 'CHECKIN_FAILED',
  },
  startsAtOnce: 'later',
  startsIncomplete: false,
  automatedAt: (now) => now,
  emits: (cause, changed) =>
    cause !== 'creation' && (changed.includes('status') || changed.includes('sub_status')),
  announcesIdle: () => false,
  recipients: ({ callback }) => (callback ? [callback] : []),
  reported: (changed) => changed,
  changeValues: (after) => after,
  eventName: () => undefined,
  callbackMethod: 'POST',
  callbackTarget: (url) => url,
  callbackHeader: ({ headerName, headerValue }) => ({ [headerName]: headerValue }),
  callbackContentType: 'application/json',
  callbackBody: (event) => JSON.stringify(event),
  occurredAt: (changedAt) => changedAt,
  occurredAtText: (ms, timestamp) => timestamp(ms),
  callbackRetryMs: [5_000, 30_000, 120_000, 600_000],
  callbackDelayMs: 0,
  callbackTwice: false,
  deliveryOrder: 'any',
  followsRedirects: false,
  delivered: (status) => status >= 200 && status < 300,
};

/** The rules that the documents state; the lead time is that of the first departure. */
export function documentedJourneyRules(rule: JourneyRule, index: number): boolean {
  return rule !== 'backwards' && (rule !== 'leadTime' || index === 0);
}

/** Flights by airline, number, route and departure clock. */
export function flightsIdentity(legs: readonly Leg[]): string {
  return legs.map(flightIdentity).join(',');
}

export function namesOf(passengers: readonly Passenger[]): string {
  return passengers
    .map(({ first_name, last_name }) => `${String(first_name)}/${String(last_name)}`)
    .join(',');
}

export function flightIdentity(leg: Leg): string {
  return [leg.airline, leg.flightNumber, leg.origin, leg.destination, formatClock(leg.departure)].join('/');
}
