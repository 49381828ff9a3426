import type { Exchange } from '../../core/evidence.ts';
import type { Api } from '../../core/operations.ts';
import type { JsonObject } from '../../spec/kit/json.ts';
import type { FlightLeg } from '../../generate/flightAlerts/flightSubscription.ts';
import type { Identities } from '../../generate/kit/identity.ts';
import type { ApiRequest } from '../../send/request.ts';
import type { LoadMaterial } from '../plan/payloads.ts';

/** What a journey may require. */
const journeyNeeds = ['writes', 'sink', 'progress', 'flight', 'flight-changes', 'other-enterprise'] as const;
export type JourneyNeed = (typeof journeyNeeds)[number];

/** What one virtual partner does step by step: data, except for one function. */
export interface Journey {
  /** Lower-case words with hyphens, such as `subscribe-and-poll`. */
  readonly id: string;
  readonly title: string;
  readonly apis: readonly Api[];
  readonly needs: readonly JourneyNeed[];
  /** How often it runs relative to the others; by default 1. */
  readonly weight?: number;
  /** Most that one partner sends, spends and leaves behind. */
  readonly cost: { readonly requests: number; readonly quota?: number; readonly subscriptions?: number };
  readonly run: (partner: Partner) => Promise<void>;
}

export interface StepOptions {
  /** Statuses that a correct server answers with; by default 200. Any other fails the journey. */
  readonly expects?: readonly number[];
}

/** An address of the sink that a journey registers. */
export interface PartnerAddress {
  readonly url: string;
  readonly authHeader: string;
}

/** A running partner, with its own key and records. */
export interface Partner {
  /** Number of the partner in the whole load, from 0. */
  readonly index: number;
  /** Random numbers from 0 to 1, by the seed. */
  readonly random: () => number;
  /** Flights and legs that the target is known to serve. */
  readonly material: LoadMaterial;
  readonly identities: Identities;
  /** The plain complete booking with a new record locator. */
  readonly booking: (more?: JsonObject) => JsonObject;
  /** Sends a request with the partner's own key, waits as a 429 asks, and fails the journey if the answer is not as expected. */
  readonly send: (step: string, request: ApiRequest, options?: StepOptions) => Promise<Exchange>;
  /** Sends several at the same time. */
  readonly together: (
    step: string,
    requests: readonly ApiRequest[],
    options?: StepOptions,
  ) => Promise<readonly Exchange[]>;
  /** Sends as another enterprise, with one of its keys. */
  readonly asOther: (step: string, request: ApiRequest, options?: StepOptions) => Promise<Exchange>;
  /** Waits until every partner that starts in this load is here, or has ended: what follows is sent by all at once. */
  readonly barrier: (step: string) => Promise<void>;
  /** A pause of about `ms`: half to one and a half times, by the seed. */
  readonly think: (ms: number) => Promise<void>;
  /** Polls until a condition holds; fails the journey if that takes too long. */
  readonly until: (
    step: string,
    ask: () => Promise<Exchange>,
    isSo: (exchange: Exchange) => boolean,
    patience?: { readonly everyMs: number; readonly patienceMs: number },
  ) => Promise<Exchange>;
  /** A new address of the sink, and a header for it that no other record has. */
  readonly address: (api: Api) => PartnerAddress;
  /** Lets the state handler change a record of this partner, and waits for the webhook of that change. */
  readonly change: (
    step: string,
    checkinId: string,
    change: { readonly status: string; readonly told: PartnerAddress | null },
  ) => Promise<void>;
  /** A new flight of one leg, by the state handler: no other partner subscribes to it. */
  readonly flight: (step: string) => Promise<FlightLeg>;
  /** Lets upstream report another gate of a leg, and waits for the notification of that change. */
  readonly changeFlight: (step: string, leg: FlightLeg, told: PartnerAddress) => Promise<void>;
  /** Ends the journey as failed. */
  readonly fail: (step: string, why: string) => never;
}

/** Validates and freezes a journey, so that a mistake in a journey file is reported before anything is sent. */
export function defineJourney(journey: Journey): Journey {
  const { id, weight = 1 } = journey;
  // A file of the user's may be of any form.
  const cost = (journey.cost as Journey['cost'] | null) ?? { requests: Number.NaN };
  const faults = [
    [!/^[a-z0-9][a-z0-9-]{0,60}$/.test(id), 'id: expected lower-case words with hyphens'],
    [
      !Number.isInteger(cost.requests) || cost.requests < 1,
      'cost.requests: expected a whole number, at least 1',
    ],
    [
      [cost.quota ?? 0, cost.subscriptions ?? 0].some((one) => !Number.isInteger(one) || one < 0),
      'cost: expected whole numbers',
    ],
    [!(weight > 0 && weight <= 1e6), 'weight: expected a number above 0'],
    [typeof journey.run !== 'function', 'run: expected a function'],
    [!isListOf(journey.needs, journeyNeeds), `needs: expected a list of some of ${journeyNeeds.join(', ')}`],
    [!isListOf(journey.apis, apis), `apis: expected a list of some of ${apis.join(', ')}`],
  ] as const;
  const fault = faults.find(([applies]) => applies)?.[1];
  if (fault !== undefined) throw new TypeError(`journey ${JSON.stringify(id)}: ${fault}`);
  return Object.freeze(journey);
}

const apis: readonly Api[] = ['webcheckin', 'flight-alerts'];

function isListOf(value: unknown, known: readonly unknown[]): boolean {
  return Array.isArray(value) && value.every((one) => known.includes(one));
}

/** A step with an unexpected answer: it ends the journey of one partner, and nothing else. */
export class JourneyFailed extends Error {
  readonly step: string;

  constructor(step: string, why: string) {
    super(why);
    this.name = 'JourneyFailed';
    this.step = step;
  }
}
