import type { Exchange } from '../../../core/evidence.ts';
import { isObject, objectOf, type Json, type JsonObject } from '../../kernel/body.ts';
import { holds, violated } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { callOf } from '../../../trace/call.ts';
import { describeValue } from '../../kernel/rule.ts';
import { noSamples, type Sample, sampleOf } from '../../kernel/sample.ts';
import { place, shownRecords } from '../records.ts';
import { RecentMap } from '../../kernel/recentMap.ts';

const requirement = 'WCI-LST-020';

/** The forms of a value that need no cleaning. */
const plain: Readonly<Record<string, RegExp>> = {
  pnr: /^[A-Z][A-Z0-9]{5}$/,
  airline: /^[A-Z]{2}$/,
  flight_number: /^[1-9]\d{0,3}$/,
  origin: /^[A-Z]{3}$/,
  destination: /^[A-Z]{3}$/,
};

/** Every key of an enterprise sees a listed record of one leg as it was sent. */
export const listedAsSent: Oracle = {
  id: 'listed-as-sent',
  title: 'An item repeats the locator and the leg that a booking was made with',
  verifies: [requirement],
  operations: ['wci.subscribe', 'wci.update', 'wci.list'],
  createWatch: () => {
    const sent = new RecentMap<string, JsonObject>();
    const doubts = new RecentMap<string, Doubt>(100);
    return {
      exchange: (exchange) => {
        if (exchange.operation === 'wci.subscribe') note(exchange, sent);
        if (exchange.operation === 'wci.update') forgetLocator(exchange, sent, doubts);
        return exchange.operation === 'wci.list' ? judge(exchange, sent, doubts) : noSamples;
      },
      end: () => [...doubts.values()].map(({ sample, list }) => ({ ...sample, evidence: [list] })),
      forgotten: () => sent.forgotten + doubts.forgotten,
    };
  },
};

/** Another locator than was sent: an update that was under way at that time, and whose answer is still to come, may explain it. */
interface Doubt {
  readonly list: Exchange;
  readonly sample: Sample;
}

/** A new record of one leg, with what was sent in its plain form. */
function note(exchange: Exchange, sent: Map<string, JsonObject>): void {
  const [shown] = shownRecords(exchange);
  const id = shown?.record.checkin_id;
  const { body = null, carrier } = callOf(exchange) ?? {};
  if (typeof id !== 'string' || !body || sent.has(id) || objectOf(exchange)?.message !== 'SCHEDULED') return;
  const flights = Array.isArray(body.flights) ? (body.flights as readonly Json[]) : [];
  const [leg] = flights;
  if (flights.length !== 1 || !isObject(leg)) return;
  // Whether a part of that name is read is open (WCI-OPN-005).
  const pnr = carrier === 'multipart' ? undefined : body.pnr;
  const members = Object.entries({ ...leg, pnr }).filter(
    ([name, value]) => typeof value === 'string' && plain[name]?.test(value) === true,
  );
  sent.set(id, Object.fromEntries(members));
}

/** An update of the locator, also one that is answered with an error, may have changed it. */
function forgetLocator(exchange: Exchange, sent: Map<string, JsonObject>, doubts: Map<string, Doubt>): void {
  const text = Buffer.from(exchange.request.body ?? []).toString('latin1');
  if (!text.includes('pnr')) return;
  const shown = shownRecords(exchange).map(({ record }) => record.checkin_id);
  for (const [id, members] of sent) {
    if (!shown.includes(id) && !text.includes(id) && shown.length > 0) continue;
    sent.set(id, Object.fromEntries(Object.entries(members).filter(([name]) => name !== 'pnr')));
    const doubt = doubts.get(id);
    if (doubt && exchange.timings.sentAt <= doubt.list.timings.receivedAt) doubts.delete(id);
  }
}

function judge(
  exchange: Exchange,
  sent: ReadonlyMap<string, JsonObject>,
  doubts: Map<string, Doubt>,
): readonly Sample[] {
  const samples = shownRecords(exchange).flatMap((shown) => {
    const id = shown.record.checkin_id;
    const members = typeof id === 'string' ? sent.get(id) : undefined;
    if (typeof id !== 'string' || !members) return [];
    const wrong = Object.keys(members).filter((name) => shown.record[name] !== members[name]);
    const [first] = wrong.toSorted((one, other) => Number(one === 'pnr') - Number(other === 'pnr'));
    if (first === undefined) return [sampleOf(requirement, holds)];
    const [where, wanted] = [place(shown, first), describeValue(members[first])];
    const actual = `${where} ${describeValue(shown.record[first])}`;
    const code = first === 'pnr' ? 'locator' : 'item';
    const sample = sampleOf(requirement, violated(code, `${where} ${wanted}, as it was sent`, actual));
    if (first !== 'pnr') return [sample];
    if (!doubts.has(id)) doubts.set(id, { list: exchange, sample });
    return [];
  });
  const broken = samples.find(({ judgement }) => judgement.status === 'violated');
  return broken ? [broken] : samples.slice(0, 1);
}
