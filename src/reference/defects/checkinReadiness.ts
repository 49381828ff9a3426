import { findAirport } from '../data/airports.ts';
import { documentedWebCheckinPolicy } from '../webcheckin/documented.ts';
import { isObject } from '../webcheckin/inspection.ts';
import { isBlank } from '../webcheckin/readiness.ts';
import { withoutNamesakes } from './namesakes.ts';
import { unneeded } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');
const HOUR = 3_600_000;

/** Mistakes in what a booking lacks before it can be checked in. */
export const checkinReadinessDefects: readonly Defect[] = [
  always(
    'complete-info-renamed',
    'A complete request has another sub-status.',
    'WCI-SUB-004 also WCI-RDY-019 WCI-UPD-046',
    { completeSubStatus: 'READY' },
  ),
  always(
    'incomplete-as-complete',
    'An incomplete request has sub-status COMPLETE_INFO.',
    'WCI-SUB-013 also WCI-RDY-017',
    { missingSubStatus: () => 'COMPLETE_INFO' },
  ),
  sometimes(
    'incomplete-started',
    'Inside the check-in window an incomplete booking is started.',
    'WCI-SUB-012',
    { startsIncomplete: true },
  ),
  sometimes('missing-email-null', 'That no email is there is told by a null.', 'WCI-STS-018', {
    missingItem: (missing) =>
      missing.field === 'email' ? null : documentedWebCheckinPolicy.missingItem(missing),
  }),
  sometimes('ready-without-pnr', 'A missing pnr is not missing information.', 'WCI-RDY-014 WCI-RDY-020', {
    needs: unneeded('pnr'),
  }),
  sometimes('ready-with-blank-number', 'A passport number of no characters is one.', 'WCI-RDY-022', {
    needs: unneeded('passport.number', (passenger, { passengers }) => {
      const passport = passengers[passenger]?.passport;
      return isObject(passport) && passport.number === '';
    }),
  }),
  sometimes(
    'ready-without-passport-number',
    'A passport number is not needed.',
    'WCI-RDY-002 also WCI-RDY-022',
    {
      needs: unneeded('passport.number'),
    },
  ),
  sometimes('ready-without-date-of-issue', "A passport's date of issue is not needed.", 'WCI-RDY-003', {
    needs: unneeded('passport.date_of_issue'),
  }),
  sometimes('ready-without-expiry-date', "A passport's expiry date is not needed.", 'WCI-RDY-004', {
    needs: unneeded('passport.expiry_date'),
  }),
  sometimes('ready-without-place-of-issue', "A passport's place of issue is not needed.", 'WCI-RDY-005', {
    needs: unneeded('passport.place_of_issue'),
  }),
  sometimes('ready-without-nationality', 'A nationality is not needed.', 'WCI-RDY-006', {
    needs: unneeded('nationality'),
  }),
  sometimes(
    'ready-by-first-passenger',
    "Only the first passenger's passport is looked at.",
    'WCI-RDY-009 also WCI-UPD-028',
    { needs: (rule, passenger) => !(rule.startsWith('passport') && passenger > 0) },
  ),
  sometimes('subscribe-folds-namesakes', 'Of new passengers of one name one is stored.', 'WCI-RDY-009', {
    enrolled: withoutNamesakes,
  }),
  sometimes('ready-by-last-passenger', "Only the last passenger's passport is looked at.", 'WCI-RDY-009', {
    needs: (rule, passenger, { passengers }) =>
      !(rule.startsWith('passport') && passenger < passengers.length - 1),
  }),
  sometimes('nationality-of-passport-only', "The passenger's nationality does not serve.", 'WCI-RDY-007', {
    nationalityOf: (passport) => passport,
  }),
  sometimes('resume-conflict', 'A check-in that cannot be resumed is a conflict.', 'WCI-UPD-042', {
    resumeStatus: 409,
  }),
  sometimes(
    'resume-loses-passengers',
    'A check-in that cannot be resumed loses its passengers.',
    'WCI-UPD-053',
    {
      unresumed: () => [],
    },
  ),
  sometimes('nationality-not-beside-null', 'A null in the passport rules the passenger out.', 'WCI-RDY-007', {
    nationalityOf: (passport, passenger) => (passport === undefined ? passenger : passport),
  }),
  sometimes('nationality-of-passenger-only', "The passport's nationality does not serve.", 'WCI-RDY-008', {
    nationalityOf: (_passport, passenger) => passenger,
  }),
  sometimes('email-of-everyone', 'Every passenger needs a valid email.', 'WCI-RDY-012 also WCI-RDY-013', {
    emailRule: (valid) => valid.every(Boolean),
  }),
  sometimes(
    'email-of-the-first',
    'The first passenger needs the valid email.',
    'WCI-RDY-012 also WCI-RDY-013',
    { emailRule: (valid) => valid[0] === true },
  ),
  sometimes('email-of-two', 'One of the first two passengers needs the valid email.', 'WCI-RDY-012', {
    emailRule: (valid) => valid.slice(0, 2).some(Boolean),
  }),
  sometimes('email-unneeded', 'No email is needed.', 'WCI-RDY-010 also WCI-RDY-011', {
    emailRule: () => true,
  }),
  sometimes('email-any-text', 'Any text is a valid email.', 'WCI-RDY-011', {
    isEmail: (text) => text !== '',
  }),
  sometimes('email-around-an-at-sign', 'An email has an at sign between two characters.', 'WCI-RDY-011', {
    isEmail: (text) => /.@./.test(text),
  }),
  sometimes('email-plus-invalid', 'An email with a plus sign is no valid one.', 'WCI-RDY-023', {
    isEmail: (text) => /^[\w.-]+@[^\s@]+\.[^\s@.]{2,}$/.test(text),
  }),
  sometimes('email-subdomain-invalid', 'An email at a subdomain is no valid one.', 'WCI-RDY-023', {
    isEmail: (text) => /^[^\s@]+@[^\s@.]+\.[^\s@.]{2,}$/.test(text),
  }),
  sometimes('email-capital-invalid', 'An email with capital letters is no valid one.', 'WCI-RDY-023', {
    isEmail: (text) => /^[^\s@A-Z]+@[^\s@A-Z]+\.[^\s@.A-Z]{2,}$/.test(text),
  }),
  sometimes('email-long-domain-invalid', 'A top-level domain has four letters at most.', 'WCI-RDY-023', {
    isEmail: (text) => /^[^\s@]+@[^\s@]+\.[^\s@.]{2,4}$/.test(text),
  }),
  sometimes('email-hyphen-domain-invalid', 'A domain of an email has no hyphens.', 'WCI-RDY-023', {
    isEmail: (text) => /^[^\s@]+@[^\s@-]+\.[^\s@.-]{2,}$/.test(text),
  }),
  sometimes('email-digit-domain-invalid', 'A domain of an email has no digits.', 'WCI-RDY-023', {
    isEmail: (text) => /^[^\s@]+@[^\s@\d]+\.[^\s@.\d]{2,}$/.test(text),
  }),
  sometimes('email-apostrophe-invalid', 'An email with an apostrophe is no valid one.', 'WCI-RDY-023', {
    isEmail: (text) => /^[^\s@']+@[^\s@]+\.[^\s@.]{2,}$/.test(text),
  }),
  sometimes('email-underscore-invalid', 'An email with an underscore is no valid one.', 'WCI-RDY-023', {
    isEmail: (text) => /^[^\s@_]+@[^\s@]+\.[^\s@.]{2,}$/.test(text),
  }),
  sometimes('email-forty-at-most', 'An email has 40 characters at most.', 'WCI-RDY-023', {
    isEmail: (text) => text.length <= 40 && documentedWebCheckinPolicy.isEmail(text),
  }),
  sometimes('scan-replaces-metadata', 'A passport scan stands in for its data.', 'WCI-MP-011', {
    scanReplacesPassport: ({ file_field }) => !isBlank(file_field),
  }),
  sometimes(
    'document-url-replaces-metadata',
    "A passport's document_url stands in for its data.",
    'WCI-RDY-016',
    { scanReplacesPassport: ({ document_url }) => !isBlank(document_url) && document_url !== undefined },
  ),
  sometimes(
    'international-by-last-leg',
    'Only the last leg decides whether a journey is international.',
    'WCI-RDY-001',
    { isInternational: (countries) => documentedWebCheckinPolicy.isInternational(countries.slice(-1)) },
  ),
  sometimes(
    'international-by-ends',
    'Only the first origin and the last destination decide whether a journey is international.',
    'WCI-RDY-080',
    {
      isInternational: (countries) => countries.at(0)?.[0] !== countries.at(-1)?.[1],
    },
  ),
  sometimes(
    'international-by-two-legs',
    'The first two legs decide whether a journey is international.',
    'WCI-RDY-001',
    { isInternational: (countries) => documentedWebCheckinPolicy.isInternational(countries.slice(0, 2)) },
  ),
  sometimes(
    'international-by-first-leg',
    'Only the first leg decides whether a journey is international.',
    'WCI-RDY-001',
    { isInternational: (countries) => documentedWebCheckinPolicy.isInternational(countries.slice(0, 1)) },
  ),
  always(
    'passports-never-needed',
    'No journey is international.',
    'WCI-RDY-001 also WCI-RDY-002 WCI-RDY-003 WCI-RDY-004 WCI-RDY-005 WCI-RDY-006 WCI-RDY-009 WCI-RDY-016 WCI-RDY-022 WCI-RDY-080 WCI-MP-011 WCI-SUB-013 WCI-SUB-014 WCI-UPD-027 WCI-UPD-028',
    { isInternational: () => false },
  ),
  sometimes(
    'window-of-months',
    'Automation starts long before the check-in window.',
    'WCI-SUB-065 also WCI-SUB-003 WCI-STS-007',
    { windowMs: 60 * 24 * HOUR },
  ),
  sometimes('email-spoilt', 'A malformed email spoils the valid one of another passenger.', 'WCI-RDY-013', {
    emailRule: (valid, given) =>
      valid.includes(true) && !given.some((one, index) => one && valid[index] !== true),
  }),
  sometimes('email-any-text-in-update', 'After an update any text is an email.', 'WCI-RDY-011', {
    needs: (rule, _passenger, booking) => {
      const isUpdated = 'revision' in booking && booking.revision !== 0;
      const isGiven = booking.passengers.some(({ email }) => typeof email === 'string' && email !== '');
      return !(rule === 'email' && isUpdated && isGiven);
    },
  }),
  sometimes('email-unneeded-at-home', 'A domestic booking needs no email.', 'WCI-RDY-010', {
    needs: unneeded('email', (_passenger, { legs }) =>
      legs.every(
        ({ origin, destination }) => findAirport(origin)?.country === findAirport(destination)?.country,
      ),
    ),
  }),
];
