import type { Exchange } from '../../../core/evidence.ts';
import { describeResponse } from '../../kernel/answer.ts';
import { isObject, responseOf, type Json } from '../../kernel/body.ts';
import { violated } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { queryOf, requestHeader, requestObject } from '../../kernel/request.ts';
import { describeValue } from '../../kernel/rule.ts';
import { noSamples, type Sample, sampleOf } from '../../kernel/sample.ts';
import {
  airportFault,
  callbackDataRow,
  departureDateFault,
  flightNumberFault,
  type FlightFault,
} from '../flightInputFaults.ts';

const ofLookup: Readonly<Partial<Record<FlightFault, string>>> = {
  'number-missing': 'FLA-GET-008',
  'number-no-digits': 'FLA-GET-016',
  'number-digits': 'FLA-GET-017',
  'number-prefix': 'FLA-GET-018',
  'number-character': 'FLA-GET-019',
  'number-suffix': 'FLA-GET-039',
  'date-missing': 'FLA-GET-009',
  'date-form': 'FLA-GET-021',
  'date-time': 'FLA-GET-022',
  'date-unreal': 'FLA-GET-023',
};

const ofSubscribe: Readonly<Record<FlightFault, string>> = {
  'number-missing': 'FLA-SUB-016',
  'number-no-digits': 'FLA-SUB-018',
  'number-digits': 'FLA-SUB-018',
  'number-prefix': 'FLA-SUB-018',
  'number-character': 'FLA-SUB-018',
  'number-suffix': 'FLA-SUB-018',
  'date-missing': 'FLA-SUB-016',
  'date-form': 'FLA-SUB-019',
  'date-time': 'FLA-SUB-019',
  'date-unreal': 'FLA-SUB-033',
  'airport-missing': 'FLA-SUB-016',
  'airport-form': 'FLA-SUB-020',
};

const ofCallback = [
  '001',
  '002',
  '003',
  '004',
  '006',
  '007',
  '008',
  '009',
  '010',
  '011',
  '012',
  '013',
  '018',
];

/** What breaks a rule under every reading is not accepted, whoever sends it. */
export const validFlightInputs: Oracle = {
  id: 'valid-flight-inputs',
  title: 'A lookup or a flight subscribe that is accepted breaks no rule for its inputs',
  verifies: [
    ...new Set([...Object.values(ofLookup), ...Object.values(ofSubscribe)]),
    ...ofCallback.map((number) => `FLA-CBR-${number}`),
  ],
  operations: ['fla.lookup', 'fla.subscribe'],
  answers: 'accepted',
  createWatch: () => ({
    exchange: (exchange) => {
      if (responseOf(exchange)?.status !== 200) return noSamples;
      if (exchange.operation === 'fla.lookup') return judgeLookup(exchange);
      return exchange.operation === 'fla.subscribe' ? judgeSubscribe(exchange) : noSamples;
    },
  }),
};

function judgeLookup(exchange: Exchange): readonly Sample[] {
  const query = queryOf(exchange.request);
  const [numbers, dates] = [query.getAll('flightNumber'), query.getAll('departureDate')];
  // Which of several counts is open.
  if (numbers.length > 1 || dates.length > 1) return noSamples;
  const fault = flightNumberFault(numbers[0]) ?? departureDateFault(dates[0]);
  const row = fault && ofLookup[fault];
  return row
    ? [accepted(exchange, row, { flightNumber: numbers[0] ?? null, departureDate: dates[0] ?? null })]
    : noSamples;
}

function judgeSubscribe(exchange: Exchange): readonly Sample[] {
  const isJson = /^application\/json\b/i.test(requestHeader(exchange.request, 'content-type') ?? '');
  const body = isJson ? requestObject(exchange.request) : null;
  if (!body) return noSamples;
  const { callbackData, ...leg } = body;
  const fault =
    flightNumberFault(leg.flightNumber) ??
    departureDateFault(leg.departureDate) ??
    airportFault(leg.departureAirportIata) ??
    airportFault(leg.arrivalAirportIata);
  if (fault) return [accepted(exchange, ofSubscribe[fault], leg)];
  const row = callbackDataRow(callbackData);
  return row === null ? noSamples : [accepted(exchange, row, isObject(callbackData) ? callbackData : body)];
}

function accepted(exchange: Exchange, row: string, sent: Json): Sample {
  const expected = `a refusal of ${describeValue(sent)}`;
  return sampleOf(row, violated('accepted', expected, describeResponse(exchange)));
}
