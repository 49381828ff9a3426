import { setTo } from '../kit/mutation.ts';
import { callbackData } from './callbackData.ts';
import { flightTable } from './flight.ts';
import { free, isText, missing, open, texts, type Table } from './form.ts';
import { journeyForms } from './journey.ts';
import { listForms } from './listForms.ts';
import { passengerTable } from './passenger.ts';

/** The body of a web check-in subscribe; what it makes of the past is the past of `now`. */
export const bookingTable = (now: number): Table => ({
  pnr: {
    forms: [
      ...missing(free, 'WCI-SUB-044', 'pnr'),
      open('pnr-of-other-type', (pnr) => !isText(pnr), setTo('pnr', 7, true, [])),
      free(
        'WCI-SUB-045',
        'pnr-of-any-form',
        texts((pnr) => !/^[A-Z0-9]{6}$/.test(pnr)),
        setTo('pnr', '!!', '', '?!*', '------', 'GTCK'),
      ),
    ],
  },
  flights: {
    each: flightTable,
    forms: listForms('flights', ['WCI-SUB-024', 'WCI-SUB-025', 'WCI-SUB-026']),
    whole: journeyForms(now),
  },
  passengers: {
    each: passengerTable,
    forms: listForms('passengers', ['WCI-SUB-027', 'WCI-SUB-028', 'WCI-SUB-029']),
  },
  callbackData,
});
