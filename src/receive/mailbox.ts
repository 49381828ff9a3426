import type { Delivery } from '../core/evidence.ts';
import { accepting, answerAt, type Script, type ScriptedAnswer } from './script.ts';

/** Most deliveries that one mailbox keeps in memory; further ones are only counted and written to the journal. */
const MOST_KEPT = 1_000;
/** Most bytes of their bodies: a thousand long ones at many addresses would fill the memory. */
const MOST_BYTES = 4 * 1024 * 1024;

/** One registration: its own address, its scripted answers, and what arrived. */
export class Mailbox {
  /** Identifies the registration of a delivery without trusting its content. */
  readonly token: string;
  #script: Script;
  #scripted = 0;
  /** Bodies that were not accepted and have not come again since. */
  #refused: string[] = [];
  #count = 0;
  #bytes = 0;
  readonly #kept: Delivery[] = [];

  constructor(token: string, script: Script = accepting) {
    this.token = token;
    this.#script = script;
  }

  /** In the order of arrival; at most the first thousand, and the first four mebibytes. */
  get deliveries(): readonly Delivery[] {
    return this.#kept;
  }

  /** Number of all deliveries, including those not kept in memory. */
  get count(): number {
    return this.#count;
  }

  /** Number of deliveries that were not accepted and that the deployment may still repeat. */
  get refused(): number {
    return this.#refused.length;
  }

  /** Uses this script from the next delivery on. */
  answerWith(script: Script): void {
    this.#script = script;
    this.#scripted = 0;
  }

  nextAnswer(): ScriptedAnswer {
    const answer = answerAt(this.#script, this.#scripted);
    this.#scripted += 1;
    return answer;
  }

  keep(delivery: Delivery, isTaken: boolean): void {
    this.#count += 1;
    this.#bytes += delivery.body.length;
    this.#noteRefused(delivery, isTaken);
    if (this.#kept.length < MOST_KEPT && this.#bytes <= MOST_BYTES) this.#kept.push(delivery);
  }

  #noteRefused({ body }: Delivery, isTaken: boolean): void {
    if (isTaken && this.#refused.length === 0) return;
    const start = Buffer.from(body.subarray(0, 4096)).toString('latin1');
    this.#refused = this.#refused.filter((earlier) => earlier !== start);
    if (!isTaken && this.#refused.length < MOST_KEPT) this.#refused.push(start);
  }
}
