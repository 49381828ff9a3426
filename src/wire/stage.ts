import type { Clock } from '../core/clock.ts';
import type { ReceivedRequest } from '../receive/inbox.ts';
import type { WireRequest, WireResult } from '../send/transport.ts';
import { readRequest, type Asked } from './asked.ts';
import { isItems, isMembers, readJson, textOf } from './json.ts';
import { KeyBook, type KnownKeys } from './keys.ts';
import { RecordBook } from './records.ts';
import { RegistrationBook, type Registration } from './registrations.ts';
import { subjectOf } from './subject.ts';
import { TemplateBook, type Template } from './templates.ts';
import { TraitBook, type Traits } from './traits.ts';
import { ValueBook } from './values.ts';
import type { Admit, Send, SetState, Wire } from './wire.ts';

/** One exchange under way. */
export interface Passing {
  readonly request: WireRequest;
  readonly asked: Asked;
  readonly traits: Traits;
  readonly subject: string;
}

/** What is done to what travels. */
export interface Interference {
  /** Handles one exchange; `pass` hands a request to the deployment. */
  readonly exchange?: (passing: Passing, pass: Send) => Promise<WireResult>;
  readonly admit?: (inner: Admit) => Admit;
}

/** Sees an exchange as it really was. */
export type SeeExchange = (passing: Passing, result: WireResult) => void;

interface StageOptions {
  readonly clock: Clock;
  readonly known: KnownKeys;
  readonly templates?: readonly Template[];
}

/** Where a mutant acts: it remembers what really travelled, and counts how often the mutant changed something. */
export class Setup {
  readonly clock: Clock;
  readonly keys: KeyBook;
  readonly traits: TraitBook;
  readonly templates: TemplateBook;
  readonly records = new RecordBook();
  readonly registrations = new RegistrationBook();
  readonly values = new ValueBook();
  #fired = 0;
  #pnrs = 0;
  #set: SetState<object, unknown> | null = null;
  #admit: Admit | null = null;

  constructor({ clock, known, templates = [] }: StageOptions) {
    this.clock = clock;
    this.keys = new KeyBook(known);
    this.traits = new TraitBook(this.keys);
    this.templates = new TemplateBook(templates);
  }

  /** How often something was changed. */
  get fired(): number {
    return this.#fired;
  }

  fire(): void {
    this.#fired += 1;
  }

  /** A pnr that no request has had yet. */
  newPnr(): string {
    this.#pnrs += 1;
    return `W${this.#pnrs.toString(36).toUpperCase().padStart(5, '0')}`;
  }

  /** The way by which deliveries come; null before one came. */
  get admit(): Admit | null {
    return this.#admit;
  }

  /** The conditions that hold for a delivery that has just come. */
  deliveryTraits(registration: Registration, { body }: Pick<ReceivedRequest, 'body'>): Traits {
    const traits = new Set(this.registrations.traitsOf(registration));
    const value = readJson(body);
    const record = isMembers(value) ? `record ${textOf(value.checkin_id)}` : '';
    if (this.traits.isUpdated(record)) traits.add('updated');
    return traits;
  }

  /** Another key of the enterprise of this one, which nobody else uses; null where none can be had. */
  async spareKey(key: string): Promise<string | null> {
    const answer = await this.#set?.('keys.issue', { key, count: 1 }).catch(() => null);
    const [spare] = isMembers(answer) && isItems(answer.keys) ? answer.keys : [];
    return typeof spare === 'string' ? spare : null;
  }

  /** The wire on which this happens. */
  wire({ exchange, admit }: Interference, observer: SeeExchange = () => undefined): Wire {
    return {
      send: (inner) => async (request) => {
        const asked = readRequest(request);
        const passing = { request, asked, traits: this.traits.traitsOf(asked), subject: subjectOf(asked) };
        const pass = this.#noting(passing, inner, observer);
        return exchange ? exchange(passing, pass) : pass(request);
      },
      admit: (inner) => {
        this.#admit = inner;
        return this.#notingArrivals(admit?.(inner) ?? inner);
      },
      set: (inner) => {
        this.#set = inner as SetState<object, unknown>;
        return async (state, params) => {
          const answer = await inner(state, params);
          this.keys.noteState(params, answer);
          return answer;
        };
      },
    };
  }

  /** What the deployment answers first is what really happened; whatever is sent besides is of the mutant's making. */
  #noting(passing: Passing, inner: Send, observer: SeeExchange): Send {
    let isNoted = false;
    return async (request) => {
      const result = await inner(request);
      if (isNoted) return result;
      isNoted = true;
      const { asked, traits } = passing;
      this.traits.note(asked, result);
      this.records.note(passing.request, asked, result);
      this.templates.note(passing.request, asked, result);
      this.registrations.note(asked, traits, result);
      observer(passing, result);
      return result;
    };
  }

  #notingArrivals(admit: Admit): Admit {
    return (target) => {
      const admission = admit(target);
      const isTaken = admission.answer.kind === 'status' && admission.answer.status < 300;
      return {
        ...admission,
        record: async (arrival, given) => {
          await admission.record(arrival, given);
          this.registrations.noteArrival(target, arrival, isTaken);
        },
      };
    };
  }
}
