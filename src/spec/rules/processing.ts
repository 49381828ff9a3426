import type { JsonObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import { RecentMap } from '../../core/recentMap.ts';
import { textOf } from '../grammar/form.ts';
import { firstFault, readForms } from '../grammar/readForms.ts';
import { only, type Blame } from '../kernel/blame.ts';
import * as is from '../kernel/value.ts';
import { areObjects } from '../world/changes.ts';
import { departureIn, isPlain, isRejection, leadMs, type Moment } from './journeys.ts';
import { answerOf } from './suspect.ts';

/** What else a request may be refused for. */
interface Reasons {
  readonly moment: Moment;
  /** Its enterprise was refused for lack of an entitlement before. */
  readonly isLacking: boolean;
}

/** How clear a departure that is too close has to be, in milliseconds. */
const slackMs = 60_000;

/** A subscribe is judged in the order of its steps: its payload, the entitlement, the journey. */
export class ProcessingRules {
  readonly #blame: Blame;
  /** Airlines of bookings that were accepted, and of those that were refused for nothing else. */
  readonly #accepted = new RecentMap<string, true>(1000);
  readonly #refused = new RecentMap<string, true>(1000);
  /** Enterprises that were refused for lack of an entitlement since it was last changed, with the refusal. */
  readonly #lacking = new RecentMap<string, Call>(1000);
  #doubts: readonly { readonly call: Call; readonly airline: string }[] = [];

  constructor(blame: Blame) {
    this.#blame = blame;
  }

  /** The state handler may have changed any entitlement. */
  step(operation: string): void {
    if (operation === 'entitlement.set' || operation === 'reset') this.#lacking.clear();
  }

  judge(call: Call, moment: Moment): void {
    if (call.keyState !== 'active' || call.carrier === 'unread') return;
    const { body, status, enterprise } = call;
    const isRejected = isRejection(call);
    const name = enterprise ?? '';
    const lacking = this.#lacking.get(name);
    if (status === 402) this.#lacking.set(name, call);
    else if (status === 200 && !isRejected) {
      this.#lacking.delete(name);
      if (areObjects(body?.flights))
        for (const leg of body.flights) this.#accepted.set(textOf(leg.airline), true);
    } else if (isRejected && isSince(lacking, call) && isPlain(call))
      this.#accuse('WCI-JRN-018', call, is.answer(402, 'as before'), lacking);
    const isRefused = status === 402 || status === 400 || isRejected;
    if (body && isRefused) this.#judgePayload(call, body, { moment, isLacking: isSince(lacking, call) });
  }

  end(): void {
    for (const { call, airline } of this.#doubts)
      if (this.#refused.has(airline) && !this.#accepted.has(airline))
        this.#accuse('WCI-JRN-016', call, is.answer(400, 'for its payload'));
    this.#doubts = [];
  }

  #judgePayload(call: Call, body: JsonObject, { moment, isLacking }: Reasons): void {
    const asked = {
      operation: 'wci.subscribe',
      carrier: call.carrier === 'multipart' ? call.carrier : 'json',
    } as const;
    const features = readForms(body, asked);
    const fault = firstFault(features);
    const flights = areObjects(body.flights) ? body.flights : [];
    const airline = textOf(flights[0]?.airline);
    const { status } = call;
    const isRejected = isRejection(call);
    if (!fault && isRejected && features.every(({ kind }) => kind === 'free'))
      this.#refused.set(airline, true);
    if (!fault && status === 402 && isUnfit(flights, moment)) this.#blame.show('WCI-JRN-018');
    // What a callback and a calendar have wrong may be seen later.
    if (fault?.refusal !== 'payload' || /^WCI-(CBR|DT)/.test(fault.rule)) return;
    if (status === 400) this.#showOrder({ moment, isLacking }, flights);
    else if (status === 402) this.#accuse('WCI-JRN-017', call, is.answer(400, `for ${fault.at}`));
    else if (isUnfit(flights, moment)) this.#accuse('WCI-JRN-016', call, is.answer(400, `for ${fault.at}`));
    else this.#doubts = [...this.#doubts, { call, airline }].slice(-100);
  }

  /** What is wrong with a payload was told, and not what else there was. */
  #showOrder({ moment, isLacking }: Reasons, flights: readonly JsonObject[]): void {
    if (isLacking) this.#blame.show('WCI-JRN-017');
    // One in the past may be refused as malformed itself.
    const departure = departureIn(flights);
    if (departure !== null && departure > moment.to && isUnfit(flights, moment))
      this.#blame.show('WCI-JRN-016');
  }

  #accuse(rule: string, call: Call, want: is.Value, before?: Call): void {
    this.#blame.accuse(only(rule), 'order', {
      ...{ code: before ? 'known:order' : 'order', at: 'answer', want, got: answerOf(call) },
      because: [...(before ? [before.exchange] : []), call.exchange],
    });
  }
}

function isSince(before: Call | undefined, { sentAt }: Call): before is Call {
  return before !== undefined && before.receivedAt <= sentAt;
}

/** Whether a journey is refused whatever else is right. */
function isUnfit(flights: readonly JsonObject[], { from }: Moment): boolean {
  const departure = departureIn(flights);
  const isClose = departure !== null && departure - from < leadMs - slackMs;
  return (
    isClose || flights.some(({ origin, destination }) => textOf(origin) !== '' && origin === destination)
  );
}
