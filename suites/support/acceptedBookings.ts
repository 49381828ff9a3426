import {
  type CheckContext,
  type JsonObject,
  type KeyChoice,
  answeredOtherThan,
  generate,
  isAccepted,
  rawRequest,
  responseOf,
  subscribe,
} from '../checks.ts';

/** callbackData null, and a charset behind the media type: one request shows both, where it is accepted. */
export async function sendNullAndCharset(t: CheckContext, body: JsonObject, key: KeyChoice): Promise<void> {
  const typed = (sent: JsonObject) =>
    t.send(rawRequest('wci.subscribe', JSON.stringify(sent), 'application/json; charset=utf-8', { key }));
  const withNull = { ...body, callbackData: null };
  if (isAccepted(await typed(withNull))) return;
  await t.send(subscribe(withNull, { key }));
  await typed(body);
}

/**
 * Where no airline form of any built-in or configured booking passes validation, or is ever answered with anything but an internal
 * error, that itself is the fault: what is not supported is 422.
 */
export async function judgeRefusedEverywhere(t: CheckContext): Promise<void> {
  const [itinerary] = generate.itinerariesToTry('international', t.settings.itineraries.international);
  if (!itinerary) return;
  const answers = [];
  for (const form of ['iata', 'icao'] as const) {
    const body = generate.simpleBooking({
      itinerary: generate.withAirlineForm(itinerary, form),
      now: t.now(),
      pnr: t.identities.pnr(),
    });
    answers.push(await t.send(subscribe(body)));
  }
  const faults = [400, 500];
  const judged = answers.find((answer) => !faults.includes(responseOf(answer)?.status ?? 0)) ?? answers[0];
  const others = answers.filter((answer) => answer !== judged);
  // The last one is shown as what breaks the rule.
  if (judged) t.judge([...others, judged], { 'WCI-SUB-001': answeredOtherThan(judged, ...faults) });
  const tried = answers.map(({ id }) => id).join(', ');
  t.assume(false, `no booking was accepted (${tried}); an unsupported airline or route is no fault`);
}
