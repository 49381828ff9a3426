import type { DeliveryLine, EventLine, ExchangeLine, JournalLine } from '../../src/send/journalLine.ts';

const at = (ms: number) => new Date(Date.UTC(2026, 0, 31, 10) + ms).toISOString();

/** An exchange of a sample run, so many milliseconds after its start. */
export function exchange(
  id: string,
  ms: number,
  given: Partial<ExchangeLine> & { url: string; body?: string; answer: string },
): ExchangeLine {
  const { url, body, answer, ...rest } = given;
  return {
    type: 'exchange',
    id,
    check: 'wci.subscribe.complete',
    operation: 'wci.subscribe',
    enterprise: 'primary',
    key: 'primary#1',
    startedAt: at(ms),
    durationMs: 4.2,
    request: {
      method: body === undefined ? 'GET' : 'POST',
      url: `https://qa.example${url}`,
      headers: [
        ['X-API-Key', '‹key primary#1›'],
        ['content-type', 'application/json'],
      ],
      body: body === undefined ? null : { text: body },
    },
    response: {
      status: 200,
      headers: [['content-type', 'application/json; charset=utf-8']],
      body: { text: answer },
      truncated: false,
    },
    failure: null,
    ...rest,
  };
}

/** A callback that a sample run received. */
export function delivery(id: string, ms: number, body: string): DeliveryLine {
  return {
    type: 'delivery',
    ...{ id, registration: 'box', connection: 'k1', startedAt: at(ms), durationMs: 0, answer: '200' },
    request: {
      method: 'POST',
      target: '/box',
      headers: [
        ['content-type', 'application/json'],
        ['authorization', '‹callback key #8›'],
      ],
      body: { text: body },
      truncated: false,
    },
  };
}

const subscribed =
  '{"success":true,"message":"SCHEDULED","booking_id":"230311","checkin_id":"wci_QobaI5R1QDh3","status":"SCHEDULED","sub_status":"COMPLETE_INFO","missing_info":[],"status_message":"All is there.","quota":{"included_units":100,"consumed_units":1}}';

const booking =
  '{"pnr":"ABC123","flights":[{"airline":"EK","flight_number":"202","origin":"DXB","destination":"JFK","departure_datetime":"2026-03-01T08:30:00"}],"passengers":[{"first_name":"Ada","last_name":"Byron","email":"ada@example.com"}]}';

/** The journal of a sample run that finds failures. */
export function failingLines(): JournalLine[] {
  const state: EventLine = {
    type: 'event',
    at: at(2900),
    name: 'state-set',
    data: {
      name: 'state-set',
      state: 'flights.put',
      params: '{"flightNumber":"EQ7004","legs":[]}',
      error: null,
    },
  };
  const reads = Array.from({ length: 12 }, (_, index) =>
    exchange(`x${602 + index}`, 1000 + index, {
      check: 'wci.status.own',
      operation: 'wci.status',
      url: `/extPartner/api/webcheckin/status?checkin_id=wci_${index}`,
      answer: '{"success":true,"checkin_id":"wci_1","booking_id":"230311"}',
      violated: ['WCI-STS-017'],
    }),
  );
  return [
    exchange('x601', 0, {
      url: '/extPartner/api/webcheckin/subscribe',
      body: booking,
      answer: subscribed,
      violated: ['WCI-SUB-007', 'WCI-STS-017'],
    }),
    ...reads,
    state,
    exchange('x700', 3000, {
      check: 'fla.callbacks.echo',
      operation: 'fla.subscribe',
      url: '/extPartner/api/flight-alerts/subscribe',
      body: '{"flightNumber":"EQ7004","departureDate":"2026-03-01","callbackData":{"fid":"0003894812811","callbackUrl":"https://sink.example/box"}}',
      answer: '{"success":true,"callbackApiKey":"‹callback key #8›"}',
    }),
    delivery('c8', 3500, '{"fid":"3894812811","changes":{"departure":{"gate":"G0047"}}}'),
  ];
}
