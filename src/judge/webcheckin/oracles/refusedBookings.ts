import type { Exchange } from '../../../core/evidence.ts';
import { isObject, memberOf, responseOf, type Json } from '../../kernel/body.ts';
import { violated } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { isMissing } from '../../../spec/grammar/form.ts';
import { readForms } from '../../../spec/grammar/readForms.ts';
import { callOf } from '../../../trace/call.ts';
import { noSamples, type Sample } from '../../kernel/sample.ts';
import { shownRecords } from '../records.ts';
import { RecentMap } from '../../kernel/recentMap.ts';

/** Refusals after which no record may exist, by their status; after a journey rejection one that has failed may. */
const rows: Readonly<Record<number, string>> = {
  400: 'WCI-SUB-067',
  401: 'SHR-AUT-013',
  402: 'WCI-QTA-007',
  422: 'WCI-JRN-014',
  429: 'SHR-LIM-023',
};

/** After a refusal for what callbackData says. */
const ofCallback = 'WCI-CBR-014';

/** What is known of one locator. */
interface Said {
  readonly requirement: string;
  readonly by: string;
  readonly received: number;
}

/** A refused locator that a list shows, or a subscribe finds known. */
interface Sight {
  readonly by: Exchange;
  readonly sample: Sample;
}

/**
 * A booking that was always refused is in no list: its locator was never sent with anything else. A refused key may
 * belong to any enterprise. One that was refused for its key alone is new to the next subscribe.
 */
export const refusedBookings: Oracle = {
  id: 'refused-bookings',
  title: 'A booking that was refused is in no list',
  verifies: [...Object.values(rows), ofCallback],
  operations: ['wci.subscribe', 'wci.update', 'wci.list'],
  createWatch: () => {
    const refused = new RecentMap<string, Said>();
    const taken = new RecentMap<string, true>();
    // A list may show a booking before the answer comes to the request that made it: judged when all have been answered.
    const listed = new RecentMap<string, Sight>(mostListed);
    return {
      exchange: (exchange) => {
        const { operation } = exchange;
        if (operation === 'wci.list') {
          for (const [pnr, said] of refusedIn(exchange, refused)) if (!listed.has(pnr)) listed.set(pnr, said);
          return noSamples;
        }
        if (operation !== 'wci.subscribe' && operation !== 'wci.update') return noSamples;
        const requirement = operation === 'wci.subscribe' ? requirementOf(exchange) : undefined;
        for (const pnr of locatorsIn(exchange)) {
          // A request whose answer is lost, or that was accepted in any way, may have made a record.
          if (requirement === undefined) {
            if (wasSentBefore(exchange, listed.get(pnr)?.by)) listed.delete(pnr);
            const known = knownIn(exchange, refused.get(pnr));
            if (known && !taken.has(pnr)) listed.set(pnr, known);
            taken.set(pnr, true);
            refused.delete(pnr);
          } else if (!taken.has(pnr) && taken.forgotten === 0)
            refused.set(pnr, { requirement, by: exchange.id, received: exchange.timings.received });
        }
        return noSamples;
      },
      end: () => {
        const samples = [...listed.values()].map(({ sample }) => sample);
        listed.clear();
        return samples;
      },
      forgotten: () => refused.forgotten + taken.forgotten,
    };
  },
};

function requirementOf(exchange: Exchange): string | undefined {
  const status = responseOf(exchange)?.status ?? 0;
  const { carrier, body } = callOf(exchange) ?? {};
  if ((status !== 400 && status !== 422) || isMissing(body?.callbackData) || !body) return rows[status];
  const asked = { operation: 'wci.subscribe', carrier: carrier === 'multipart' ? carrier : 'json' } as const;
  const faults = readForms(body, asked).filter(({ kind }) => kind === 'fault');
  if (faults.some(({ at }) => at.startsWith('callbackData'))) return ofCallback;
  // What a 422 without a fault is about, the journey or the callback, is not known.
  return status === 422 ? undefined : rows[status];
}

/** Enough to tell of; a deployment that keeps every refused booking shows thousands. */
const mostListed = 20;

function refusedIn(list: Exchange, refused: Map<string, Said>): readonly (readonly [string, Sight])[] {
  return shownRecords(list).flatMap(({ record: { pnr, status }, at }) => {
    // A journey that is rejected, with whatever status, may be kept as one that failed; what becomes of that is open.
    if (typeof pnr === 'string' && status === 'FAILED') refused.delete(pnr);
    const refusal = typeof pnr === 'string' ? refused.get(pnr) : undefined;
    if (typeof pnr !== 'string' || !refusal) return [];
    const expected = `no record of the booking that ${refusal.by} was refused for`;
    const judgement = violated('listed', expected, `${at} has its pnr`);
    return [
      [pnr, { by: list, sample: { requirement: refusal.requirement, judgement, evidence: [list] } }] as const,
    ];
  });
}

/** A subscribe that finds a booking known which was refused for its key before; null for any other. */
function knownIn(exchange: Exchange, said: Said | undefined): Sight | null {
  const isKnown =
    memberOf(exchange, 'message') === 'ALREADY_SUBSCRIBED' && responseOf(exchange)?.status === 200;
  if (!said || said.requirement !== rows[401] || !isKnown || exchange.timings.sent < said.received)
    return null;
  const expected = `a booking that is new, since ${said.by} was refused`;
  const judgement = violated('listed', expected, 'message ALREADY_SUBSCRIBED');
  return { by: exchange, sample: { requirement: said.requirement, judgement, evidence: [exchange] } };
}

function wasSentBefore(exchange: Exchange, sight: Exchange | undefined): boolean {
  return sight !== undefined && exchange.timings.sent <= sight.timings.received;
}

/** The locators that a request names, of the form that is drawn at random; those of a multipart body by their spelling. */
function locatorsIn(exchange: Exchange): readonly string[] {
  const call = callOf(exchange);
  const body = call && call.carrier !== 'multipart' ? call.body : null;
  const payload = body && isObject(body.payload) ? body.payload : {};
  const named: readonly (Json | undefined)[] = body
    ? [body.pnr, payload.pnr]
    : partsOf(exchange.request.body);
  return named.filter((pnr): pnr is string => typeof pnr === 'string' && /^[A-Z][A-Z0-9]{5}$/.test(pnr));
}

function partsOf(body: Uint8Array | null): readonly string[] {
  const text = body === null ? '' : Buffer.from(body).toString('latin1');
  return [...text.matchAll(/(?<![A-Z0-9])[A-Z][A-Z0-9]{5}(?![A-Z0-9])/g)].map(([pnr]) => pnr);
}
