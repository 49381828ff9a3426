import { withField } from '../asked.ts';
import { readJson } from '../json.ts';
import { fieldOf } from '../multipart.ts';
import type { Admission, ReceivedRequest } from '../../receive/inbox.ts';
import { callbackOf, type Registration } from '../registrations.ts';
import type { Interference, Passing } from '../stage.ts';
import type { Admit } from '../wire.ts';
import { MessageEditor } from './answers.ts';
import { statusOf } from './gates.ts';
import type { Acting } from './occasion.ts';

/** What may happen to a delivery as a whole. */
export const deliveryOperators = {
  dropped: 'does not come',
  twice: 'comes twice',
  'too-many': 'comes five times',
  misdelivered: 'comes to another registration',
  'stale-body': 'has the body of the one before',
  'another-body': 'has the body of another registration',
  uninvited: 'comes once more after nothing happened',
  late: 'comes a minute late',
  method: 'comes by another method',
} as const;

/** What may happen to its credential, in the header that carries it. */
export const credentialOperators = {
  'no-credential': 'has no credential',
  'other-credential': 'has a credential that nobody knows',
  'another-credential': 'has the credential of another registration',
  'cased-credential': 'has its credential in the other case',
} as const;

/** The conditions of a delivery are those of its registration; `again` and `refused` count its deliveries. */
export function changeDeliveries(acting: Acting): Interference {
  const editor = new MessageEditor(acting);
  return {
    ...(acting.mutant.operator === 'uninvited' ? { exchange: uninvited(acting) } : {}),
    admit: (inner) => (target) => admission(acting, editor, inner, target),
  };
}

function admission(acting: Acting, editor: MessageEditor, inner: Admit, target: string): Admission {
  const admitted = inner(target);
  return {
    ...admitted,
    record: async (arrival, given) => {
      const { stage, mutant, occasion } = acting;
      const registration = stage.registrations.of(target);
      const isSuch = registration && callbackOf(readJson(arrival.body)) === mutant.about;
      if (!isSuch || !occasion.holds(stage.deliveryTraits(registration, arrival)))
        return admitted.record(arrival, given);
      const take = (one: ReceivedRequest) => admitted.record(one, given);
      await act({ acting, editor, inner, registration, arrival, take });
    },
  };
}

interface Delivering {
  readonly acting: Acting;
  readonly editor: MessageEditor;
  readonly inner: Admit;
  readonly registration: Registration;
  readonly arrival: ReceivedRequest;
  readonly take: (arrival: ReceivedRequest) => Promise<void>;
}

async function act(delivering: Delivering): Promise<void> {
  const { acting, editor, registration, arrival, take } = delivering;
  const { operator, path } = acting.mutant;
  if (operator in credentialOperators) return take(withOtherCredential(delivering));
  if (path !== '') return take(editor.edit(arrival, `registration ${registration.target}`));
  const whole = wholes[operator];
  return whole ? whole(delivering) : take(arrival);
}

const wholes: Readonly<Record<string, (delivering: Delivering) => Promise<void>>> = {
  dropped: ({ acting }) => {
    acting.stage.fire();
    return Promise.resolve();
  },
  twice: (delivering) => repeatedly(delivering, 2),
  'too-many': (delivering) => repeatedly(delivering, 5),
  misdelivered: async ({ acting, registration, arrival, inner, take }) => {
    const other = acting.stage.registrations.besides(registration);
    if (!other) return take(arrival);
    acting.stage.fire();
    await inner(other.target).record({ ...arrival, target: other.target });
  },
  'stale-body': ({ acting, registration, arrival, take }) => {
    const [before] = registration.arrivals;
    if (before) acting.stage.fire();
    return take(before ? { ...arrival, body: before.body } : arrival);
  },
  'another-body': ({ acting, registration, arrival, take }) => {
    const [other] = acting.stage.registrations.besides(registration)?.arrivals ?? [];
    if (other) acting.stage.fire();
    return take(other ? { ...arrival, body: other.body } : arrival);
  },
  late: async ({ acting, arrival, take }) => {
    const { clock } = acting.stage;
    acting.stage.fire();
    await clock.sleep(60_000);
    await take({ ...arrival, startedAt: clock.now(), receivedAt: clock.now() });
  },
  method: ({ acting, arrival, take }) => {
    acting.stage.fire();
    return take({ ...arrival, method: 'PUT' });
  },
};

async function repeatedly({ acting, arrival, take }: Delivering, times: number): Promise<void> {
  acting.stage.fire();
  for (let count = 0; count < times; count += 1) await take(arrival);
}

function withOtherCredential({ acting, registration, arrival }: Delivering): ReceivedRequest {
  const name = fieldOf(arrival.headers, 'authorization') === null ? 'x-api-key' : 'authorization';
  const credential = fieldOf(arrival.headers, name) ?? '';
  const [other] = acting.stage.registrations.besides(registration)?.arrivals ?? [];
  const values: Readonly<Record<string, string | null>> = {
    'no-credential': null,
    'other-credential': `${credential}x`,
    'another-credential': (other && fieldOf(other.headers, name)) ?? credential,
    'cased-credential':
      credential === credential.toUpperCase() ? credential.toLowerCase() : credential.toUpperCase(),
  };
  const value = values[acting.mutant.operator] ?? null;
  if (value !== credential) acting.stage.fire();
  return { ...arrival, headers: withField(arrival.headers, name, value) };
}

/** What was delivered last for a registration comes again when it is read, or subscribed again. */
function uninvited({ mutant, stage, occasion }: Acting): NonNullable<Interference['exchange']> {
  return async (passing, pass) => {
    const result = await pass(passing.request);
    const registration = isQuiet(passing) ? stage.registrations.lastOf(passing.asked) : undefined;
    const [last] = registration?.arrivals ?? [];
    const isSuch = registration?.about === mutant.about && statusOf(result) === 200;
    if (!isSuch || !last || !occasion.holds(stage.registrations.traitsOf(registration))) return result;
    stage.fire();
    const now = stage.clock.now();
    await stage.admit?.(registration.target).record({ ...last, startedAt: now, receivedAt: now });
    return result;
  };
}

/** Requests that change nothing. */
function isQuiet({ asked, traits }: Passing): boolean {
  return asked.operation === 'wci.status' || (asked.operation === 'fla.subscribe' && traits.has('again'));
}
