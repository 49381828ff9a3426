import { hash32 } from '../../core/random.ts';
import { readRequest, onAnswers, onDeliveries, onRecords, withBytes } from '../asked.ts';
import {
  isMembers,
  readJson,
  writeJson,
  type Json,
  type JsonObject,
  editSpots,
  joinedWires,
  type Wire,
} from '../json.ts';
import type { Making, Variation } from './variation.ts';

/** Texts that people read, which no document fixes. */
export const textVariations: readonly Variation[] = [
  {
    id: 'constant-texts',
    family: 'texts',
    law: 'A human-readable text may say the same of everything; what does not change is in no callback.',
    wire: () => joinedWires([onTexts(() => 'Web check-in.'), withoutTextChanges()]),
  },
  {
    id: 'texts-by-call',
    family: 'texts',
    law: 'A human-readable text may name the time that is left, or a number of its own.',
    wire: () => {
      let count = 0;
      return onTexts((text) => `${text} Opens in ${String((count += 1))} minutes.`);
    },
  },
  {
    id: 'other-languages',
    family: 'texts',
    law: 'No document says in which language a human-readable text is.',
    wire: ({ random }) =>
      onTexts((text) => `${languages[Math.floor(random() * languages.length)] ?? ''} ${hash32(text) % 1000}`),
  },
  {
    id: 'empty-checkin-messages',
    family: 'texts',
    law: 'Of checkin_message the documents say that it is a string; an empty one is a string.',
    wire: () =>
      joinedWires([
        onTexts((text, name) => (name === 'message' || name === 'reason' ? text : '')),
        withoutTextChanges(),
      ]),
  },
  {
    id: 'long-texts',
    family: 'texts',
    law: 'No document limits the length of a human-readable text.',
    wire: () =>
      onTexts((text) => `${text} ${'More about this stands in the partner dashboard. '.repeat(200)}`),
  },
  {
    id: 'flight-key-texts',
    family: 'texts',
    law: 'Flight Alerts, Authentication 2: failures come with human-readable error strings, not always an enumerated code.',
    wire: onKeyErrors,
  },
  {
    id: 'error-context',
    family: 'texts',
    law: 'Errors: extra context appears when relevant; its names are not fixed, nor is it the same at each call.',
    wire: errorContext,
  },
];

const languages = ['Prüfung läuft', '処理中です', 'En cours', 'قيد المعالجة', '🛫 ✓'];

/** Members whose texts are for people; `message` is a code where a request succeeded. */
const names: ReadonlySet<string> = new Set(['message', 'reason', 'checkin_message', 'status_message']);

function onTexts(edit: (text: string, name: string) => string): Wire {
  const editJson = (value: Json) => {
    const isError = isMembers(value) && value.success === false;
    return editSpots(value, (spot) => {
      const name = spot.path.split('.').at(-1) ?? '';
      const isForPeople = names.has(name) && (name !== 'message' || isError);
      return isForPeople && typeof spot.value === 'string' ? edit(spot.value, name) : spot.value;
    });
  };
  return onJson(editJson);
}

function onJson(edit: (value: Json) => Json): Wire {
  const edited = (body: Uint8Array) => {
    const value = readJson(body);
    return value === undefined ? body : writeJson(edit(value));
  };
  return joinedWires([
    onAnswers((answer) => withBytes(answer, edited(answer.body))),
    onDeliveries((arrival) => withBytes(arrival, edited(arrival.body))),
  ]);
}

/** Takes texts that are the same for ever out of the changes, and a callback that holds nothing then off the wire. */
function withoutTextChanges(): Wire {
  return onRecords((store) => async (arrival, given) => {
    const body = readJson(arrival.body);
    const changes = isMembers(body) ? body.changes : undefined;
    if (!isMembers(body) || !isMembers(changes) || !('checkin_message' in changes))
      return store(arrival, given);
    const rest = Object.fromEntries(Object.entries(changes).filter(([name]) => name !== 'checkin_message'));
    if (Object.keys(rest).length === 0) return;
    await store(withBytes(arrival, writeJson({ ...body, changes: rest })), given);
  });
}

function onKeyErrors({ random }: Making): Wire {
  const texts = ['API key required', 'Invalid API key', 'The key is not active.', 'Schlüssel ungültig'];
  return onErrors((body, status, operation) =>
    status === 401 && operation?.startsWith('fla.') === true
      ? { ...body, error: texts[Math.floor(random() * texts.length)] ?? '' }
      : body,
  );
}

function errorContext({ random }: Making): Wire {
  const hex = () => Math.floor(random() * 2 ** 32).toString(16);
  return onErrors((body) => ({
    ...body,
    requestId: `${hex()}-${hex()}`,
    durationMs: Math.round(random() * 1000),
    traceId: hex(),
    timestamp: new Date(Math.floor(random() * 2e12)).toISOString(),
    details: [{ node: hex(), attempt: Math.floor(random() * 9) }],
  }));
}

function onErrors(edit: (body: JsonObject, status: number, operation: string | null) => JsonObject): Wire {
  return onAnswers((answer, request) => {
    const body = readJson(answer.body);
    if (!isMembers(body) || body.success !== false) return answer;
    return withBytes(answer, writeJson(edit(body, answer.status, readRequest(request).operation)));
  });
}
