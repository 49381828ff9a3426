import type { WireRequest } from '../../send/transport.ts';
import { differences, inputsOf, takenOver, withInputs } from '../inputs.ts';
import { isMembers, type Json, type JsonObject } from '../json.ts';
import type { Passing, Setup } from '../stage.ts';
import { spotsOf } from '../spots.ts';
import { kindOf } from './valueOperators.ts';

/** Which input of a refused request may be what it was refused for, and of what kind its value is. */
interface Suspect {
  readonly path: string;
  readonly kind: string;
}

/** A refused request that has what one input of a valid one has, and for the key that of the record's owner. */
export function repaired(passing: Passing, path: string, stage: Setup): WireRequest | null {
  const model = modelFor(passing, stage);
  if (model === null) return null;
  const inputs = takenOver(inputsOf(passing.request, passing.asked), path, withNewPnr(model, stage));
  return isMembers(inputs) ? withInputs(passing.request, inputs) : null;
}

/** The inputs in which a refused request differs from a valid one, the most particular first. */
export function suspectsOf(passing: Passing, stage: Setup): readonly Suspect[] {
  const model = modelFor(passing, stage);
  if (model === null) return [];
  const inputs = inputsOf(passing.request, passing.asked);
  const isReadable = passing.asked.body !== undefined;
  return differences(inputs, model)
    .filter((path) => path !== '' && path !== 'query' && (path !== 'body' || !isReadable))
    .map((path) => ({ path, kind: kindAt(passing, path, stage) }));
}

/** What the value at a path of a request is: `absent`, `blank`, or its type. */
export function kindAt({ request, asked }: Passing, path: string, stage: Setup): string {
  if (path === 'key') return stage.keys.kindOf(asked.key);
  const found = spotsOf(inputsOf(request, asked)).find((spot) => spot.path === path);
  if (!found) return 'absent';
  const { value } = found;
  return typeof value === 'string' && value.trim() === '' ? 'blank' : kindOf(value);
}

/** An update that gives a record the pnr that it has would do nothing. */
function withNewPnr(model: JsonObject, stage: Setup): JsonObject {
  const { body } = model;
  if (!isMembers(body) || !isMembers(body.payload) || typeof body.payload.pnr !== 'string') return model;
  return { ...model, body: { ...body, payload: { ...body.payload, pnr: stage.newPnr() } } };
}

function modelFor({ asked }: Passing, stage: Setup): JsonObject | null {
  const like = stage.templates.requestLike(asked);
  if (!like) return null;
  const model = inputsOf(like);
  const owner = stage.records.of(asked)?.key;
  const key: Json | undefined = owner ?? model.key;
  return key === undefined ? model : { ...model, key };
}
