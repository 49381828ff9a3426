import type { RecordedResponse } from '../../core/evidence.ts';
import { withField } from '../asked.ts';
import { isSame, readJson, writeJson, type Json } from '../json.ts';
import { withAnswer, withBytes } from '../layers.ts';
import { fieldOf } from '../multipart.ts';
import { editAt } from '../spots.ts';
import type { Interference } from '../stage.ts';
import { subjectAt } from '../subject.ts';
import { isAt, type Acting } from './occasion.ts';
import { placeId } from './place.ts';
import { valueOperators, type ValueOperator } from './valueOperators.ts';

/** Header fields of an answer that the documents speak of. */
export const documentedFields = ['content-type', 'cache-control'] as const;

/** Changes one member, or one header field, of one kind of answer. */
export function changeAnswers(acting: Acting): Interference {
  const { mutant, occasion } = acting;
  const editor = new MessageEditor(acting);
  return {
    exchange: async (passing, pass) => {
      const result = await pass(passing.request);
      const isSuch =
        isAt(acting, passing) &&
        result.outcome.kind === 'response' &&
        result.outcome.response.status === mutant.status;
      if (!isSuch || !occasion.holds(passing.traits)) return result;
      return withAnswer(result, (answer) => editor.edit(answer, passing.subject));
    },
  };
}

/** Changes one place of messages by one operator, and remembers what really stood there. */
export class MessageEditor {
  readonly #acting: Acting;
  readonly #operator: ValueOperator | undefined;
  readonly #place: string;

  constructor(acting: Acting) {
    this.#acting = acting;
    this.#operator = valueOperators.find(({ id }) => id === acting.mutant.operator);
    this.#place = placeId(acting.mutant);
  }

  edit<Message extends Pick<RecordedResponse, 'headers' | 'body'>>(
    message: Message,
    subject: string,
  ): Message {
    const { path } = this.#acting.mutant;
    if (path.startsWith('header.')) return this.#editField(message, path.slice('header.'.length));
    const value = readJson(message.body);
    if (value === undefined) return message;
    const edited = this.editValue(value, subject);
    if (isSame(edited, value)) return message;
    this.#acting.stage.fire();
    return withBytes(message, edited === undefined ? new Uint8Array() : writeJson(edited));
  }

  editValue(value: Json, subject: string): Json | undefined {
    const { mutant, stage, occasion } = this.#acting;
    return editAt(value, mutant.path, (spot) => {
      const about = subjectAt(spot, subject);
      const around = { spot, place: this.#place, subject: about, values: stage.values };
      const edited = occasion.holdsAt(spot) ? this.#operator?.edit(spot.value, around) : spot.value;
      stage.values.note(this.#place, about, spot.value);
      return edited;
    });
  }

  #editField<Message extends Pick<RecordedResponse, 'headers'>>(message: Message, name: string): Message {
    const { operator } = this.#acting.mutant;
    if (fieldOf(message.headers, name) === null) return message;
    this.#acting.stage.fire();
    const value = operator === 'omit' ? null : operator === 'empty' ? '' : (otherFields[name] ?? 'x');
    return { ...message, headers: withField(message.headers, name, value) };
  }
}

/** Values that a header field may not have. */
const otherFields: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'public, max-age=3600',
};
