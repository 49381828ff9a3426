import type { RecordedResponse } from '../../core/evidence.ts';
import type { OperationId } from '../../core/operations.ts';
import type { WireRequest, WireResult } from '../../send/transport.ts';
import { readRequest, withBody, withField } from '../asked.ts';
import { isItems, isMembers, readJson, textOf, writeJson, type Json } from '../json.ts';
import { inputsOf, withInputs } from '../inputs.ts';
import { withAnswer, withBytes } from '../layers.ts';
import { editSpots } from '../spots.ts';
import type { Interference, Passing, Setup } from '../stage.ts';
import { identifierOf } from '../subject.ts';
import type { Send } from '../wire.ts';
import { statusOf } from './gates.ts';
import { isAt, type Acting } from './occasion.ts';

/** One way in which what is done is not what is answered. */
interface Effect {
  readonly id: string;
  readonly means: string;
  readonly operations: readonly OperationId[];
  readonly act: (passing: Passing, pass: Send, stage: Setup) => Promise<WireResult>;
}

const reads = ['wci.status', 'wci.list', 'fla.lookup'] as const;
export const writes = ['wci.subscribe', 'wci.update', 'fla.subscribe'] as const;

export const effects: readonly Effect[] = [
  {
    id: 'invented',
    means: 'answered as done, and not done at all',
    operations: ['wci.subscribe'],
    act: answerWithoutDoing,
  },
  {
    id: 'undone',
    means: 'done, answered, and undone',
    operations: ['wci.update'],
    act: doAndUndo,
  },
  {
    id: 'unregistered',
    means: 'answered with a callback key, and registered without a callback',
    operations: ['fla.subscribe'],
    act: subscribeWithoutCallback,
  },
  {
    id: 'callback-forgotten',
    means: 'done, but for the registration of the callback',
    operations: ['wci.subscribe'],
    act: (passing, pass, stage) => passWithout(passing, pass, stage, 'callbackData'),
  },
  {
    id: 'refused',
    means: 'done, and answered with a refusal',
    operations: writes,
    act: doAndRefuse,
  },
  {
    id: 'twice',
    means: 'done twice, the second time under another locator',
    operations: ['wci.subscribe'],
    act: doTwice,
  },
  {
    id: 'foreign-key',
    means: 'done with the key of another enterprise',
    operations: [...reads, ...writes],
    act: doForAnother,
  },
  {
    id: 'record-before',
    means: 'done to the record before',
    operations: ['wci.status', 'wci.update'],
    act: doToRecordBefore,
  },
];

/** Does something else than what is answered. */
export function misuse(acting: Acting): Interference {
  const { mutant, stage, occasion } = acting;
  const effect = effects.find(({ id }) => id === mutant.operator);
  return {
    exchange: (passing, pass) =>
      effect && isAt(acting, passing) && occasion.holds(passing.traits)
        ? effect.act(passing, pass, stage)
        : pass(passing.request),
  };
}

/** The last success, under ids that nobody has. A request that would be refused is recognised by the deployment's answer. */
async function answerWithoutDoing(passing: Passing, pass: Send, stage: Setup): Promise<WireResult> {
  const model = stage.templates.accepted('wci.subscribe');
  const body = passing.asked.body;
  if (!model || !isMembers(body)) return pass(passing.request);
  // Without passengers it is refused whatever else it holds, and leaves nothing behind.
  const empty = withBody(passing.request, { ...body, passengers: [] });
  const result = await pass(empty);
  if (statusOf(result) !== 400) return result;
  stage.fire();
  return withAnswer(result, () => withBytes(model, writeJson(underOtherIds(readJson(model.body) ?? null))));
}

function underOtherIds(value: Json): Json {
  return (
    editSpots(value, ({ path, value: id }) => {
      if (path === 'checkin_id' && typeof id === 'string') return id.split('').toReversed().join('');
      return path === 'booking_id' && typeof id === 'number' ? id + 5_000_000 : id;
    }) ?? value
  );
}

/** The update before this one is sent again after it. */
async function doAndUndo(passing: Passing, pass: Send, stage: Setup): Promise<WireResult> {
  const record = identifierOf(passing.asked)?.value ?? '';
  const [before] = stage.records.of(passing.asked)?.writes ?? [];
  const result = await pass(passing.request);
  const undo = before && undoing(before, record);
  if (statusOf(result) !== 200 || !undo) return result;
  if (statusOf(await pass(undo)) === 200) stage.fire();
  return result;
}

/** An update that brings back what an earlier subscribe or update said. */
function undoing(before: WireRequest, record: string): WireRequest | null {
  const { body, operation, carrier } = readRequest(before);
  if (!isMembers(body) || carrier === 'multipart') return null;
  const payload = isMembers(body.payload) ? body.payload : body;
  const passengers = body.passengers ?? payload.passengers;
  const target =
    operation === 'wci.subscribe' ? before.target.replace(/subscribe$/, 'update') : before.target;
  if (passengers === undefined) return null;
  return { ...before, target, body: writeJson({ checkin_id: record, type: 'passengers', passengers }) };
}

async function subscribeWithoutCallback(passing: Passing, pass: Send, stage: Setup): Promise<WireResult> {
  const { body } = passing.asked;
  if (!isMembers(body) || !isMembers(body.callbackData)) return pass(passing.request);
  const result = await passWithout(passing, pass, stage, 'callbackData');
  return withAnswer(result, (answer) => {
    const value = readJson(answer.body);
    if (answer.status !== 200 || !isMembers(value)) return answer;
    const callbackApiKey = `fak_${String(stage.fired)}_5d41402abc4b2a76b9719d911017c592`;
    return withBytes(answer, writeJson({ ...value, callbackApiKey }));
  });
}

function passWithout(passing: Passing, pass: Send, stage: Setup, member: string): Promise<WireResult> {
  const { body } = passing.asked;
  if (!isMembers(body) || body[member] === undefined) return pass(passing.request);
  stage.fire();
  const rest = Object.entries(body).filter(([name]) => name !== member);
  return pass(withBody(passing.request, Object.fromEntries(rest)));
}

const generalRefusal: Pick<RecordedResponse, 'status' | 'body'> = {
  status: 500,
  body: writeJson({ success: false, error: 'INTERNAL_ERROR', message: 'An unexpected error occurred.' }),
};

async function doAndRefuse(passing: Passing, pass: Send, stage: Setup): Promise<WireResult> {
  const result = await pass(passing.request);
  if (statusOf(result) !== 200) return result;
  stage.fire();
  return withAnswer(result, (answer) => ({ ...withBytes(answer, generalRefusal.body), status: 500 }));
}

async function doTwice(passing: Passing, pass: Send, stage: Setup): Promise<WireResult> {
  const result = await pass(passing.request);
  const { body } = passing.asked;
  if (statusOf(result) !== 200 || !isMembers(body) || typeof body.pnr !== 'string') return result;
  const pnr = body.pnr.split('').toReversed().join('');
  const again = await pass(withBody(passing.request, { ...body, pnr }));
  if (pnr !== body.pnr && statusOf(again) === 200) stage.fire();
  return result;
}

function doForAnother(passing: Passing, pass: Send, stage: Setup): Promise<WireResult> {
  const foreign = stage.keys.foreignTo(passing.asked.key);
  const key = foreign[stage.fired % Math.max(1, foreign.length)];
  if (key === undefined || passing.asked.key === null) return pass(passing.request);
  stage.fire();
  return pass({ ...passing.request, headers: withField(passing.request.headers, 'x-api-key', key) });
}

/** The last other record of the same enterprise is taken, and the answer names the one that was asked for. */
async function doToRecordBefore(passing: Passing, pass: Send, stage: Setup): Promise<WireResult> {
  const record = stage.records.of(passing.asked);
  const other = record && stage.records.besides(record, stage.keys.siblingsOf(record.key));
  if (!other) return pass(passing.request);
  const inputs = inputsOf(passing.request, passing.asked);
  const names: readonly (readonly [Json, Json])[] = [
    [record.checkinId, other.checkinId],
    [record.bookingId, other.bookingId],
  ];
  const asked = renamed(inputs, names);
  stage.fire();
  const result = await pass(withInputs(passing.request, isMembers(asked) ? asked : inputs));
  return withAnswer(result, (answer) => {
    const value = readJson(answer.body);
    if (value === undefined) return answer;
    return withBytes(
      answer,
      writeJson(
        renamed(
          value,
          names.map(([own, others]) => [others, own]),
        ),
      ),
    );
  });
}

/** The value with each id under its other name. */
function renamed(value: Json, names: readonly (readonly [from: Json, to: Json])[]): Json {
  const edit = (one: Json) => {
    const [from, to] = names.find(([name]) => textOf(name) === textOf(one)) ?? [];
    if (from === undefined || to === undefined || isMembers(one) || isItems(one)) return one;
    return typeof one === 'string' ? textOf(to) : to;
  };
  return editSpots(value, (spot) => edit(spot.value)) ?? value;
}
