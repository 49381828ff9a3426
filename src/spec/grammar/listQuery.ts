import { otherDigits } from '../kit/characters.ts';
import { drop, type Make, mapped, setTo } from '../kit/mutation.ts';
import { doubtful, free, is, isText, like, open, other, texts, type Form, type Table } from './form.ts';

export const checkinStatuses = ['SCHEDULED', 'IN_PROGRESS', 'COMPLETED', 'FAILED'] as const;

/** A way to write a page or a limit. */
export interface BoundForm extends Form {
  /** What pagination shows, from a lowest to a highest value, where the query is not refused; null for the value itself. */
  readonly applied: readonly [lowest: number, highest: number] | null;
  /** Whether the documents leave no doubt about it. */
  readonly isCertain: boolean;
  /** Whether there is a number in it that some readers find (WCI-OPN-070). None of them is 0, 1 or 25. */
  readonly isSpelled?: true;
}

const whole = (text: string) => /^(?:0|-?[1-9]\d{0,8})$/.test(text);
const number = (has: (value: number) => boolean) => texts((text) => whole(text) && has(Number(text)));
const word = like(/^(?!infinity$|nan$)(?:[a-z]+|!)$/i);
const isAbsent = is(undefined);
/** The least and the most elements of a page, and how many it has without a limit. */
export const pageLimits = { least: 1, most: 100, usual: 25 } as const;
const { least, most, usual } = pageLimits;
const isAny = () => true;
const isPage = (page: number) => page >= 0;
const isLimit = (limit: number) => limit >= least && limit <= most;
const isMore = (limit: number) => limit > most;
const anyPage = [-Infinity, Infinity] as const;
const anyLimit = [least, most] as const;
const huge = '99999999999';

/** Pages that an integer of 32 and of 64 bits holds, and whose offset it does not; and one that neither holds. */
export const farPages = [String(2 ** 31 - 1), String(2n ** 62n + 1n), String(10n ** 20n)] as const;

/** Texts with a number in them that some readers find; whether they do, and which one, has no certain reading. */
const numberLike: readonly (readonly [name: string, pattern: RegExp, ...texts: readonly string[]])[] = [
  ['with-zeros', /^[+-]?0+\d+$/, '07', '007'],
  ['with-plus', /^\+\d+$/, '+7', '+4'],
  ['with-exponent', /^\d+e\d+$/i, '1e1', '2E0'],
  ['hexadecimal', /^0x[\da-f]+$/i, '0x1f'],
  ['with-letters', /^\d+[a-z]+$/i, '2abc', '4x'],
  ['with-underscore', /^\d+(_\d+)+$/, '2_0'],
  ['with-separator', /^\d+[,' ]\d{3}$/, '2,000', '2 000'],
  ['with-blank', /^\s+\d+$|^\d+\s+$/, ' 7', '7 ', '7\n'],
  ['of-other-digits', /^(?=.*[^0-9])\p{Nd}+$/u, ...Object.values(otherDigits).map((write) => write('7'))],
];

/** Whether a parameter that is outside its bounds is refused. */
const point = 'WCI-OPN-011';

/**
 * Outside its bounds a parameter falls back, so that the answer shows what was applied, or is refused with 400.
 */
export const boundForms: Readonly<Record<'page' | 'limit', readonly BoundForm[]>> = {
  page: [
    bound([0, 0], free('WCI-LST-002', 'absent-page', isAbsent, drop('page'))),
    bound(null, free('WCI-LST-028', 'page-in-bounds', number(isPage), integers('page', 0, 4))),
    bound([0, 0], doubtful('WCI-LST-009', 'page-negative', number(isAny), integers('page', -1000, -1))),
    bound([0, 0], doubtful('WCI-LST-010', 'page-word', word, setTo('page', 'abc', 'first', 'x', '!'))),
    unsure(
      anyPage,
      doubtful('WCI-LST-032', 'page-fraction', like(/^\d+\.\d+$/), setTo('page', '0.5', '1.5')),
    ),
    bound([0, 0], doubtful('WCI-LST-010', 'page-empty', is(''), setTo('page', ''))),
    ...spelled('page', anyPage, 'WCI-LST-010'),
    // Beyond every list: what some never get to look for, as its offset is too large for them.
    unsure(null, doubtful('WCI-LST-017', 'page-of-ten-digits', like(/^[1-9]\d{9,15}$/), setTo('page', huge))),
    unsure(
      null,
      doubtful('WCI-LST-017', 'page-of-64-bits', like(/^[1-9]\d{16,18}$/), setTo('page', farPages[1])),
    ),
    unsure(
      null,
      doubtful('WCI-LST-017', 'page-beyond-64-bits', like(/^[1-9]\d{19,}$/), setTo('page', farPages[2])),
    ),
    unsure(anyPage, open('page-otherwise', other, setTo('page', '1..5'))),
  ],
  limit: [
    bound([usual, usual], free('WCI-LST-003', 'absent-limit', isAbsent, drop('limit'))),
    bound(null, free('WCI-LST-008', 'limit-in-bounds', number(isLimit), integers('limit', least, most))),
    bound(
      [most, most],
      doubtful('WCI-LST-006', 'limit-above-100', number(isMore), integers('limit', most + 1, 10_000)),
    ),
    unsure(
      anyLimit,
      doubtful('WCI-LST-006', 'limit-of-eleven-digits', like(/^[1-9]\d{9,}$/), setTo('limit', huge)),
    ),
    bound([least, least], doubtful('WCI-LST-007', 'limit-zero', is('0'), setTo('limit', '0'))),
    bound(
      [least, least],
      doubtful('WCI-LST-007', 'limit-negative', number(isAny), integers('limit', -1000, -1)),
    ),
    bound(anyLimit, doubtful('WCI-LST-011', 'limit-word', word, setTo('limit', 'abc', 'all', 'x', '!'))),
    bound(anyLimit, open('limit-empty', is(''), setTo('limit', ''))),
    unsure(
      anyLimit,
      doubtful('WCI-LST-011', 'limit-fraction', like(/^\d+\.\d*$/), setTo('limit', '4.0', '2.5')),
    ),
    ...spelled('limit', anyLimit, 'WCI-LST-011'),
    unsure(anyLimit, open('limit-otherwise', other, setTo('limit', '2..5'))),
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

/** The query of a list. Another letter case of a status has no certain reading. */
export const listTable: Table = {
  page: { shape: { types: ['string'], point }, forms: boundForms.page },
  limit: { shape: { types: ['string'], point }, forms: boundForms.limit },
  status: {
    shape: { words: checkinStatuses, point },
    forms: [
      ...checkinStatuses.map((one) => free('WCI-LST-012', `status-${one}`, is(one), setTo('status', one))),
      open(
        'status-in-another-case',
        texts(isStatus),
        setTo('status', 'scheduled', 'Scheduled', ' SCHEDULED'),
      ),
      doubtful(
        'WCI-LST-014',
        'status-unknown',
        isText,
        setTo('status', 'BOGUS', 'PENDING', 'X', 'COMPL', 'DONE', 'COMPLETED.', 'COMPLETED,FAILED'),
      ),
    ],
  },
};

function isStatus(text: string): boolean {
  return (checkinStatuses as readonly string[]).includes(text.trim().toUpperCase());
}

/** Whatever they are read as, a number is shown that may be one. */
function spelled(
  parameter: 'page' | 'limit',
  applied: BoundForm['applied'],
  rule: string,
): readonly BoundForm[] {
  return numberLike.map(([name, pattern, ...written]) => ({
    ...unsure(applied, doubtful(rule, `${parameter}-${name}`, like(pattern), setTo(parameter, ...written))),
    isSpelled: true,
  }));
}

function bound(applied: BoundForm['applied'], form: Form): BoundForm {
  return { ...form, applied, isCertain: true };
}

function unsure(applied: BoundForm['applied'], form: Form): BoundForm {
  return { ...form, applied, isCertain: false };
}

function integers(parameter: string, min: number, max: number): Make {
  return mapped(
    (fc) => fc.integer({ min, max }),
    (value) => (query) => ({ ...query, [parameter]: String(value) }),
  );
}
