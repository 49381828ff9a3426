import { objectsAt, textAt, type JsonObject } from '../kit/json.ts';
import { always, type Make, setTo } from '../kit/mutation.ts';
import { callbackData } from './callbackData.ts';
import { flightTable } from './flight.ts';
import { free, isList, like, missing, notText, open, unlike, type Table } from './form.ts';
import { journeyForms } from './journey.ts';
import { listForms } from './listForms.ts';
import { passengerTable } from './passenger.ts';

/** Longer than any column that holds one. */
const longLocator = 'GTCHK'.repeat(60);
const oddLocators = ['!!', '', '?!*', '------', 'GTCK'];

/** The body of a web check-in subscribe; what it makes of the past is the past of `now`. */
export const bookingTable = (now: number): Table => ({
  pnr: {
    forms: [
      ...missing(free, 'WCI-SUB-044', 'pnr'),
      open('pnr-of-other-type', notText, setTo('pnr', 7, true, [])),
      free('WCI-SUB-045', 'pnr-very-long', like(/^[^]{65}/), setTo('pnr', longLocator)),
      free(
        'WCI-SUB-045',
        'pnr-beyond-the-plane',
        like(/[\u{10000}-\u{10ffff}]/u),
        setTo('pnr', '\u{1f600}!'),
      ),
      // What a NUL or half a character is in a text is the reader's to say.
      open('pnr-broken', like(/\0|\p{Cs}/u), setTo('pnr', 'GT\0HK1')),
      free('WCI-SUB-045', 'pnr-of-any-form', unlike(/^[A-Z0-9]{6}$/), setTo('pnr', ...oddLocators)),
    ],
  },
  flights: {
    each: flightTable,
    forms: listForms('flights', ['WCI-SUB-024', 'WCI-SUB-025', 'WCI-SUB-026']),
    also: [free('WCI-SUB-070', 'more-than-two-flights', longer(2), withMore('flights', 3))],
    whole: journeyForms(now),
  },
  passengers: {
    each: passengerTable,
    forms: listForms('passengers', ['WCI-SUB-027', 'WCI-SUB-028', 'WCI-SUB-029']),
    also: [
      free('WCI-SUB-070', 'more-than-nine-passengers', longer(9), withMore('passengers', 10)),
      free('WCI-SUB-081', 'namesakes', hasNamesakes, withMore('passengers', 2)),
    ],
  },
  callbackData,
});

function longer(most: number) {
  return (list: unknown) => isList(list) && list.length > most;
}

function hasNamesakes(passengers: unknown): boolean {
  if (!isList(passengers)) return false;
  const names = (passengers as readonly JsonObject[]).map((one) =>
    `${textAt(one, 'first_name')}/${textAt(one, 'last_name')}`.toLowerCase(),
  );
  return new Set(names).size < names.length;
}

/** A list of so many elements: the first one again and again. */
function withMore(list: string, count: number): Make {
  return always((body: JsonObject) => {
    const [first = {}] = objectsAt(body, list);
    return { ...body, [list]: Array.from({ length: count }, () => first) };
  });
}
