import { findAirline } from '../data/airlines.ts';
import { parsePart } from '../shared/body.ts';
import { invalid } from '../shared/refusal.ts';
import { flightIdentity, flightsIdentity, namesOf } from '../webcheckin/documented.ts';
import { point, type DialectPoint } from './point.ts';

const HOUR = 3_600_000;

/** Open points of web check-in about what a request may hold and how it is judged. */
export const checkinDialectPoints: readonly DialectPoint[] = [
  point('airline-code', 'WCI-OPN-001', {
    two: {},
    three: { isAirlineCode: (code) => /^[A-Za-z]{3}$/.test(code) },
    both: { isAirlineCode: (code) => /^[A-Za-z0-9]{2}$|^[A-Za-z]{3}$/.test(code) },
    any: { isAirlineCode: (code) => code.length > 0 },
    // The table of supported airlines is kept by the three-letter code, and nothing else looks at the form.
    'three-supported': {
      isAirlineCode: (code) => /^[A-Za-z0-9]{2,3}$/.test(code),
      supportsAirline: (code) => code.length === 3 && findAirline(code) !== undefined,
    },
  }),
  point('row-back', 'WCI-OPN-002', {
    refused: {},
    accepted: { rowPreferences: ['front', 'middle', 'rear', 'back'] },
  }),
  point('client-identity', 'WCI-OPN-003', { optional: {}, required: { clientIdentity: 'required' } }),
  point('part-values', 'WCI-OPN-005', {
    plain: {},
    'quoted-scalars': {
      partValue: ({ name, text }, json) => (json ? parsePart(name, text) : unquoted(text)),
    },
    'text-parts-only': {
      partValue: ({ name, text, mediaType }, json) => {
        if (json && mediaType !== 'text/plain') throw invalid(`Part ${name} must be text/plain.`);
        return json ? parsePart(name, text) : text;
      },
    },
  }),
  point('pnr-part', 'WCI-OPN-005', { read: {}, ignored: { pnrPart: 'ignored' } }),
  point('update-identifiers', 'WCI-OPN-009', { precedence: {}, 'one-only': { identifiers: 'one-only' } }),
  point('untyped-pnr', 'WCI-OPN-062', { refused: {}, accepted: { untypedPnr: 'accepted' } }),
  point('passengers-twice', 'WCI-OPN-063', {
    'top-level': {},
    payload: { passengersTwice: 'payload' },
    refused: { passengersTwice: 'refused' },
  }),
  point('ended-again', 'WCI-OPN-061', {
    reused: {},
    anew: { reuses: ({ progress }) => progress.status !== 'FAILED' && progress.status !== 'COMPLETED' },
    'failed-anew': { reuses: ({ progress }) => progress.status !== 'FAILED' },
  }),
  point('renamed-booking', 'WCI-OPN-069', { 'new-pnr': {}, 'first-pnr': { filesNewPnr: false } }),
  point('late-update', 'WCI-OPN-068', {
    accepted: {},
    rejected: { resumes: (leadMs) => leadMs >= 6 * HOUR },
  }),
  point('untyped-payload', 'WCI-OPN-009', { accepted: {}, refused: { untypedPayload: 'refused' } }),
  point('contradicting-type', 'WCI-OPN-009', { 'type-wins': {}, refused: { contradictingType: 'refused' } }),
  point('invalid-list-query', 'WCI-OPN-011', {
    'falls-back': {},
    refused: { invalidPage: 'refused', outOfRangeLimit: 'refused', invalidFilter: 'refused' },
    mixed: { outOfRangeLimit: 'refused' },
  }),
  point('non-numeric-limit', 'WCI-OPN-040', {
    default: {},
    one: { nonNumericLimit: 'one' },
    refused: { nonNumericLimit: 'refused' },
  }),
  point('update-conflict', 'WCI-OPN-014', {
    'under-way-or-done': {},
    never: { updateConflict: () => false },
    completed: { updateConflict: ({ progress }) => progress.status === 'COMPLETED' },
    'not-scheduled': { updateConflict: ({ progress }) => progress.status !== 'SCHEDULED' },
    'same-pnr': { updateConflict: (_attempt, collides) => collides },
  }),
  point('same-booking', 'WCI-OPN-015', {
    'pnr-and-flights': {},
    pnr: { bookingKey: ({ pnr }) => pnr ?? '' },
    'pnr-and-first-flight': {
      bookingKey: ({ pnr, legs }) => `${pnr ?? ''} ${legs.slice(0, 1).map(flightIdentity).join()}`,
    },
    'pnr-flights-and-passengers': {
      bookingKey: ({ pnr, legs, passengers }) =>
        `${pnr ?? ''} ${flightsIdentity(legs)} ${JSON.stringify(passengers)}`,
    },
  }),
  point('same-booking-without-pnr', 'WCI-OPN-015', {
    'flights-and-names': {},
    flights: { pnrlessKey: ({ legs }) => `- ${flightsIdentity(legs)}` },
    never: {
      pnrlessKey: ({ legs, passengers }, serial) =>
        `${serial} ${flightsIdentity(legs)} ${namesOf(passengers)}`,
    },
  }),
  point('journey-rejection', 'WCI-OPN-016', { 'http-422': {}, 'http-200': { rejection: 'answered' } }),
  point('defect-status', 'WCI-OPN-017', {
    mixed: {},
    'http-400': { statusOf: () => 400 },
    'http-422': { statusOf: (kind) => (kind === 'structure' ? 400 : 422) },
  }),
  point('quota-unit', 'WCI-OPN-018', {
    created: {},
    accepted: { consumes: (outcome) => (outcome === 'rejected' ? 0 : 1) },
  }),
  point('exhausted-repeat', 'WCI-OPN-019', {
    'http-402': {},
    reused: { steps: ['reuse', 'quota', 'journey'] },
  }),
  point('separate-checks', 'WCI-OPN-024', {
    'with-payload': {},
    'with-journey': {
      stageOf: (kind) =>
        ['calendar', 'timezone', 'callback', 'itinerary'].includes(kind) ? 'journey' : 'payload',
    },
  }),
  point('lead-time-boundary', 'WCI-OPN-029', {
    inclusive: {},
    exclusive: { leadTimeMet: (leadMs) => leadMs > 6 * HOUR },
  }),
  point('lenient-types', 'WCI-OPN-031', {
    documented: {},
    refused: { lenientTypes: 'refused' },
    stored: { lenientTypes: 'stored' },
    missing: { lenientTypes: 'missing' },
  }),
  point('letter-case', 'WCI-OPN-032', {
    exact: {},
    insensitive: {
      canonicalCode: (code) => code.toUpperCase(),
      matchesOneOf: (value, allowed) =>
        typeof value === 'string' && allowed.some((one) => one.toLowerCase() === value.toLowerCase()),
    },
  }),
  point('unbound-files', 'WCI-OPN-033', { ignored: {}, refused: { unboundFiles: 'refused' } }),
  point('clock-corners', 'WCI-OPN-036', { refused: {}, accepted: { clockCorners: 'accepted' } }),
  point('alias-conflict', 'WCI-OPN-037', {
    main: {},
    alias: { aliasConflict: 'alias' },
    refused: { aliasConflict: 'refused' },
  }),
  point('empty-identifier', 'WCI-OPN-038', { 'http-400': {}, 'http-404': { emptyIdentifier: 'missing' } }),
  point('missing-names', 'WCI-OPN-042', { refused: {}, recorded: { missingNames: 'recorded' } }),
  point('auth-header-corners', 'WCI-OPN-044', { refused: {}, accepted: { authHeaderCorners: 'accepted' } }),
  point('pnr-form', 'WCI-OPN-045', {
    six: {},
    alphanumeric: { isPnr: (pnr) => typeof pnr === 'string' && /^[A-Za-z0-9]+$/.test(pnr) },
    'not-blank': { isPnr: (pnr) => typeof pnr === 'string' && pnr.trim() !== '' },
  }),
  point('booking-horizon', 'WCI-OPN-046', { none: {}, '330-days': { bookingHorizonDays: 330 } }),
  point('client-types', 'WCI-OPN-047', { ignored: {}, refused: { clientTypes: 'refused' } }),
];

/** A quoted JSON text without its quotes; anything else as it is. */
function unquoted(text: string): unknown {
  return /^".*"$/s.test(text) ? parsePart('scalar', text) : text;
}
