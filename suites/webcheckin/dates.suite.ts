import {
  type CheckContext,
  type Exchange,
  type JsonObject,
  type OwnRecord,
  isAccepted,
  isJsonObject,
  lacksSomething,
  memberOf,
  objectOf,
  objectsAt,
  rulesOf,
  subscribe,
  suite,
  table,
} from '../checks.ts';
import { ownRecord, sendUpdate } from '../support/checkin.ts';
import { bookingOfItsOwn } from '../support/departures.ts';
import { sameKey } from '../support/keys.ts';
import { bookingParts, knownForm, multipart, updateParts } from '../support/multipart.ts';
import { judgeMalformed, judgeRefusal } from '../support/passengerUpdates.ts';

type Carrier = 'subscribe' | 'multipart subscribe' | 'update' | 'multipart update';

/** A date of a passenger in a text that is none. */
interface MalformedDate {
  readonly rule: string;
  readonly name: string;
  readonly carrier: Carrier;
  readonly change: (passenger: JsonObject) => JsonObject;
}

const ofBirth = (date_of_birth: string) => (passenger: JsonObject) => ({ ...passenger, date_of_birth });

const ofPassport = (dates: JsonObject) => (passenger: JsonObject) => ({
  ...passenger,
  passport: { ...(isJsonObject(passenger.passport) ? passenger.passport : {}), ...dates },
});

/** Each carrier with each kind of date; what an update in JSON does with those of a passport is a matter of readiness. */
const malformed: readonly MalformedDate[] = [
  birth('update', '17/05/1990'),
  birth('subscribe', '1990-13-45'),
  birth('multipart update', 'not a date'),
  birth('multipart subscribe', '17/05/1990'),
  passport('subscribe', { date_of_issue: '31/12/2024' }),
  passport('multipart update', { expiry_date: '2031-13-45' }),
  passport('multipart subscribe', { expiry_date: 'not a date' }),
];

export default suite('Passenger and Passport: dates', [
  table({
    id: 'wci.passenger.dates',
    title:
      'a date of birth or of a passport that is no date is refused, or counts as missing, however it is sent',
    verifies: rulesOf(malformed),
    uses: ['complete-record', 'scratch-record'],
    exclusive: 'sparing',
    rows: malformed,
    run: async (t, rows) => {
      const updates = rows.filter(({ carrier }) => carrier.endsWith('update'));
      const record = updates.length > 0 ? await ownRecord(t) : null;
      await t.each(rows, async (row) =>
        record && updates.includes(row) ? judgeUpdate(t, record, row) : judgeSubscribe(t, row),
      );
    },
  }),
]);

async function judgeSubscribe(t: CheckContext, { rule, carrier, change }: MalformedDate): Promise<void> {
  const isMultipart = carrier === 'multipart subscribe';
  // A pnr that is not read from a multipart body makes no booking another one.
  const plain = isMultipart ? await bookingOfItsOwn(t) : await t.fixtures.booking();
  const body = { ...plain, passengers: objectsAt(plain, 'passengers').map(change) };
  const form = t.dialect.variant('WCI-OPN-005') === 'json-text-parts' ? 'json-text-parts' : 'text-parts';
  const request = isMultipart
    ? multipart(t, 'wci.subscribe', bookingParts(body, 'text/plain', form))
    : subscribe(body);
  const answer = await t.send(request);
  if (!isAccepted(answer)) {
    judgeRefusal(t, rule, answer);
    return;
  }
  t.assume(memberOf(answer, 'message') !== 'ALREADY_SUBSCRIBED', 'it counts as an earlier booking');
  t.judge(answer, { [rule]: lacksSomething(objectOf(answer)) });
}

async function judgeUpdate(
  t: CheckContext,
  record: OwnRecord,
  { rule, carrier, change }: MalformedDate,
): Promise<void> {
  const passengers = objectsAt(record.body, 'passengers').map(change);
  const body = { checkin_id: record.checkinId, passengers };
  const answer: Exchange =
    carrier === 'update'
      ? await sendUpdate(t, record, body)
      : await t.send(
          multipart(t, 'wci.update', updateParts(body, knownForm(t)), { key: sameKey(t, record.subscribed) }),
        );
  await judgeMalformed(t, record, { rule, answer });
}

function birth(carrier: Carrier, text: string): MalformedDate {
  const name = `date of birth ${JSON.stringify(text)}, ${carrier}`;
  return { rule: 'WCI-SUB-074', name, carrier, change: ofBirth(text) };
}

function passport(carrier: Carrier, dates: JsonObject): MalformedDate {
  const name = `passport with ${JSON.stringify(dates)}, ${carrier}`;
  return { rule: 'WCI-RDY-021', name, carrier, change: ofPassport(dates) };
}
