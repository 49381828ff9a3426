import { drop, type Make, mapped, setTo } from '../kit/mutation.ts';
import { doubtful, free, isText, like, open, other, texts, type Form, type Table } from './form.ts';

export const checkinStatuses = ['SCHEDULED', 'IN_PROGRESS', 'COMPLETED', 'FAILED'] as const;

/** A way to write a page or a limit. */
export interface BoundForm extends Form {
  /** What pagination shows, from a lowest to a highest value, where the query is not refused; null for the value itself. */
  readonly applied: readonly [lowest: number, highest: number] | null;
  /** Whether the documents leave no doubt about it. */
  readonly isCertain: boolean;
}

const whole = (text: string) => /^(?:0|-?[1-9]\d{0,8})$/.test(text);
const number = (has: (value: number) => boolean) => texts((text) => whole(text) && has(Number(text)));
const word = like(/^(?!infinity$|nan$)(?:[a-z]+|!)$/i);
const isAbsent: Form['fits'] = (value) => value === undefined;
const isEmpty: Form['fits'] = (value) => value === '';
const isLimit = (limit: number) => limit >= 1 && limit <= 100;
const anyInteger = [-Infinity, Infinity] as const;
const anyLimit = [1, 100] as const;

/**
 * Outside its bounds a parameter falls back, so that the answer shows what was applied, or is refused with 400 (WCI-OPN-011). 1e1, 01, +1
 * and 2x have no certain reading.
 */
export const boundForms: Readonly<Record<'page' | 'limit', readonly BoundForm[]>> = {
  page: [
    bound(free('WCI-LST-002', 'absent-page', isAbsent, drop('page')), [0, 0]),
    bound(
      free(
        'WCI-LST-028',
        'page-in-bounds',
        number((page) => page >= 0),
        integers('page', 0, 4),
      ),
      null,
    ),
    bound(
      doubtful(
        'WCI-LST-009',
        'page-negative',
        number(() => true),
        integers('page', -1000, -1),
      ),
      [0, 0],
    ),
    bound(doubtful('WCI-LST-010', 'page-word', word, setTo('page', 'abc', 'first', 'x', '!')), [0, 0]),
    unsure(
      doubtful('WCI-LST-032', 'page-fraction', like(/^\d+\.\d+$/), setTo('page', '0.5', '1.5')),
      anyInteger,
    ),
    bound(doubtful('WCI-LST-010', 'page-empty', isEmpty, setTo('page', '')), [0, 0]),
    unsure(open('page-otherwise', other, setTo('page', '01', '+1', '1e1', '2x', '99999999999')), anyInteger),
  ],
  limit: [
    bound(free('WCI-LST-003', 'absent-limit', isAbsent, drop('limit')), [25, 25]),
    bound(free('WCI-LST-008', 'limit-in-bounds', number(isLimit), integers('limit', 1, 100)), null),
    bound(
      doubtful(
        'WCI-LST-006',
        'limit-above-100',
        number((limit) => limit > 100),
        integers('limit', 101, 10_000),
      ),
      [100, 100],
    ),
    unsure(
      doubtful('WCI-LST-006', 'limit-of-eleven-digits', like(/^[1-9]\d{9,}$/), setTo('limit', '99999999999')),
      anyLimit,
    ),
    bound(
      doubtful('WCI-LST-007', 'limit-zero', (limit) => limit === '0', setTo('limit', '0')),
      [1, 1],
    ),
    bound(
      doubtful(
        'WCI-LST-007',
        'limit-negative',
        number(() => true),
        integers('limit', -1000, -1),
      ),
      [1, 1],
    ),
    bound(doubtful('WCI-LST-011', 'limit-word', word, setTo('limit', 'abc', 'all', 'x', '!')), anyLimit),
    bound(open('limit-empty', isEmpty, setTo('limit', '')), anyLimit),
    unsure(open('limit-otherwise', other, setTo('limit', '01', '+1', '1e1', '2x')), anyLimit),
  ],
};

/** How a page or a limit is read, and the sentence that says what is applied. */
export function readBound(parameter: 'page' | 'limit', value: unknown): BoundForm {
  const found = boundForms[parameter].find(({ fits }) =>
    fits(value, { operation: 'wci.list', carrier: 'query' }),
  );
  if (found) return found;
  throw new Error(`Every ${parameter} has a form.`);
}

/** The query of a list. */
export const listTable: Table = {
  page: { forms: boundForms.page },
  limit: { forms: boundForms.limit },
  status: {
    forms: [
      ...checkinStatuses.map((status) =>
        free('WCI-LST-012', `status-${status}`, (value) => value === status, setTo('status', status)),
      ),
      // Another letter case has no certain reading.
      open(
        'status-in-another-case',
        like(/^(scheduled|in_progress|completed|failed)$/i),
        setTo('status', 'scheduled'),
      ),
      doubtful('WCI-LST-014', 'status-unknown', isText, setTo('status', 'BOGUS', 'PENDING', 'X')),
    ],
  },
};

function bound(form: Form, applied: BoundForm['applied']): BoundForm {
  return { ...form, applied, isCertain: true };
}

function unsure(form: Form, applied: BoundForm['applied']): BoundForm {
  return { ...form, applied, isCertain: false };
}

function integers(parameter: string, min: number, max: number): Make {
  return mapped(
    (fc) => fc.integer({ min, max }),
    (value) => (query) => ({ ...query, [parameter]: String(value) }),
  );
}
