import { isObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import type { Claim } from '../../trace/evidence.ts';
import { readForms } from '../grammar/readForms.ts';
import type { Violation } from '../kernel/findings.ts';
import * as is from '../kernel/value.ts';
import type { Flights } from '../world/flights.ts';
import { flightName } from '../world/legs.ts';
import { answerOf, codeOf, type Show } from './suspect.ts';

/** As often as this an answer is no exception. */
const fewest = 3;
const mostMadeUp = 2_000;

/** What a deployment does with lookups of any flight: what it never does otherwise is how it works. */
export class LookupHabits {
  /** By flight, each once. */
  readonly #empty = new Map<string, Call>();
  readonly #otherCode = new Map<string, Call>();
  #hasNotFound = false;
  /** Plain lookups without and with airport codes. */
  readonly #refused = new Map<string, Call>();
  readonly #taken = { plain: 0, withAirports: 0 };
  /** Numbers that nobody flies, and what lookups of them were answered instead of that. */
  readonly #madeUp = new Set<string | number>();
  #given: readonly Call[] = [];
  /** Accepted subscribes to flights of such numbers, and what plain lookups found of these. */
  readonly #subscribed = new Map<string, Call>();
  readonly #found = new Map<string, boolean>();
  #showsLegs = false;

  claim(claim: Claim): void {
    if (claim.claim !== 'made-up' || this.#madeUp.size > mostMadeUp) return;
    for (const id of claim.ids) this.#madeUp.add(id);
  }

  learn(call: Call, show: Show): void {
    if (call.op === 'fla.subscribe') this.#subscribe(call, show);
    if (call.op !== 'fla.lookup' || call.keyState !== 'active') return;
    const { departureAirportIata, arrivalAirportIata } = call.query;
    const name = flightName(call.query);
    if (name === null) return;
    const [isPlain, isFull] = [
      Object.keys(call.query).length === 2,
      departureAirportIata !== undefined && arrivalAirportIata !== undefined,
    ];
    if (isPlain && this.#isMadeUp(name)) {
      this.#unknown(call, show);
      this.#found.set(name, this.#found.get(name) === true || (call.status !== 404 && !isEmpty(call)));
    }
    if (call.status === 404 && isPlain) this.#notFound(name, call);
    if (call.status === 400 && isPlain) this.#refuse(name, call);
    if (call.status !== 200 || !Array.isArray(call.answer)) return;
    if (isPlain) this.#taken.plain += 1;
    else if (isFull) this.#taken.withAirports += 1;
    if (call.answer.length === 0 && isPlain) note(this.#empty, name, call);
    if (call.answer.length === 0 || !isPlain) return;
    this.#showsLegs = true;
    show('FLA-GET-029');
  }

  end(world: Flights): readonly Violation[] {
    const [empty, code, refused] = [this.#empty, this.#otherCode, this.#refused].map((calls) => [...calls]);
    const isOften = (calls: readonly unknown[] = []) => calls.length >= fewest;
    const areEmpty = !this.#hasNotFound && isOften(empty);
    const isOtherCode = !this.#hasNotFound && isOften(code);
    const needsAirports =
      this.#taken.plain === 0 && isOften(refused) && (world.shows.put || this.#taken.withAirports > 0);
    return [
      ...(areEmpty ? (empty ?? []).flatMap(([name, call]) => unknown(name, call, world)) : []),
      ...(isOtherCode ? (code ?? []).slice(0, 1).flatMap(([name, call]) => unknown(name, call, world)) : []),
      ...(needsAirports ? (refused ?? []).slice(0, 1).map(([, call]) => this.#needless(call)) : []),
      ...this.#given.filter((call) => this.#isWrong(call)).map(notUnknown),
      ...[...this.#subscribed].flatMap(([name, call]) =>
        this.#found.get(name) === false ? notUnknown(call) : [],
      ),
    ];
  }

  #isMadeUp(name: string): boolean {
    return this.#madeUp.has(name.slice(0, name.indexOf(' ')));
  }

  /** Whether a subscribe to what nobody flies may be right, a lookup tells. */
  #subscribe(call: Call, show: Show): void {
    const name = call.body && flightName(call.body);
    if (call.keyState !== 'active' || name === null || !this.#isMadeUp(name)) return;
    const isNotFound = call.status === 404 && codeOf(call) === 'FLIGHT_NOT_FOUND';
    if (isNotFound) show('FLA-SUB-023');
    if (call.status === 200) note(this.#subscribed, name, call);
    else if ((call.status === 404 && !isNotFound) || call.status === 500)
      this.#given = [...this.#given, call].slice(-fewest);
  }

  /** What nobody flies is not found; a number that turns out to be flown is another matter. */
  #unknown(call: Call, show: Show): void {
    const { status } = call;
    const isNotFound = status === 404 && codeOf(call) === 'FLIGHT_NOT_FOUND';
    if (isNotFound) show('FLA-GET-027');
    if (isEmpty(call) || (status === 404 && !isNotFound) || status === 500)
      this.#given = [...this.#given, call].slice(-fewest);
  }

  /** A partner may be missing as well, where no lookup finds anything; and one 500 may be an accident. */
  #isWrong({ status }: Call): boolean {
    const isHabit = this.#given.filter((one) => one.status === status).length > 1;
    return status === 200 || (this.#showsLegs && (status === 404 || (isHabit && !this.#hasNotFound)));
  }

  #needless({ exchange }: Call): Violation {
    const rule = this.#taken.withAirports > 0 ? 'FLA-GET-029' : 'FLA-GET-001';
    const want = 'an answer to a lookup without airport codes';
    const got = is.answer(400, 'for each of them');
    return { rule, code: 'airports', at: 'answer', want, got, because: [exchange] };
  }

  #notFound(name: string, call: Call): void {
    const code = isObject(call.answer) ? call.answer.error : null;
    if (code === 'FLIGHT_NOT_FOUND') this.#hasNotFound = true;
    else if (code === 'NOT_FOUND') note(this.#otherCode, name, call);
  }

  #refuse(name: string, call: Call): void {
    const asked = { operation: 'fla.lookup', carrier: 'query', now: call.sentAt } as const;
    const isAllowed = readForms(call.query, asked).every(({ kind }) => kind === 'free');
    if (isAllowed) note(this.#refused, name, call);
  }
}

function isEmpty({ status, answer }: Call): boolean {
  return status === 200 && Array.isArray(answer) && answer.length === 0;
}

function notUnknown(call: Call): Violation {
  const want = is.refusal(404, 'FLIGHT_NOT_FOUND', 'as the number was made up');
  const what = { at: 'answer', want, got: answerOf(call) };
  const rule = call.op === 'fla.subscribe' ? 'FLA-SUB-023' : 'FLA-GET-027';
  return { rule, code: 'unknown', ...what, because: [call.exchange] };
}

/** What is not found is 404 FLIGHT_NOT_FOUND; a flight of which a date was made is known. */
function unknown(name: string, call: Call, world: Flights): readonly Violation[] {
  const number = name.slice(0, name.indexOf(' ') + 1);
  if (world.of(name)) return [];
  const isKnown = [...world.all()].some((one) => one.name.startsWith(number) && one.isFound);
  const got = is.noted(answerOf(call), 'and never FLIGHT_NOT_FOUND');
  const what = { at: 'answer', want: is.refusal(404, 'FLIGHT_NOT_FOUND'), got };
  return [
    { rule: isKnown ? 'FLA-GET-028' : 'FLA-GET-027', code: 'unknown', ...what, because: [call.exchange] },
  ];
}

function note(calls: Map<string, Call>, name: string, call: Call): void {
  if (calls.size < 20 && !calls.has(name)) calls.set(name, call);
}
