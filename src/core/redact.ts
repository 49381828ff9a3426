import { createHmac, randomBytes } from 'node:crypto';
import { Disguises, telling, type FoundSecret } from './disguises.ts';
import { anchorsOf, secretPattern } from './secretPattern.ts';

/**
 * Replaces every known secret by its label before anything is recorded or shown. Secrets may become known during a run (a
 * callback key), but never later than the exchange that shows them.
 */
export class Redactor {
  readonly #labels = new Map<string, string>();
  readonly #salt = randomBytes(32);
  readonly #disguises = new Disguises();
  /** Secrets that a text can only contain if the disguises find an anchor of them. */
  #anchored: readonly Group[] = [];
  #others: readonly Group[] = [];
  #version = 0;

  /** Changes whenever another secret becomes known. */
  get version(): number {
    return this.#version;
  }

  /** From now on `secret` is shown as `‹label›`, also where it is escaped or encoded. */
  add(secret: string, label: string): void {
    if (secret === '' || labelForm.test(secret) || this.#labels.has(secret)) return;
    this.#labels.set(secret, label);
    this.#version += 1;
    const pattern = secretPattern(secret);
    const whole = new RegExp(`^(?:${pattern})$`);
    const group = new Group([{ label, length: secret.length, pattern, whole }]);
    const anchors = anchorsOf(secret, telling);
    if (anchors === null) this.#others = withGroup(this.#others, group);
    else {
      this.#disguises.watch(anchors);
      this.#anchored = withGroup(this.#anchored, group);
    }
  }

  /** The same, and also in altered forms: for the user's keys, which outlive a run. */
  guard(secret: string, label: string): void {
    this.add(secret, label);
    this.#disguises.add(secret, label);
    this.#version += 1;
  }

  /** The label of a text that is nothing but a secret; null for any other text, which may still contain one. */
  labelOf(text: string): string | null {
    const label = this.#labels.get(text);
    return label === undefined ? null : `‹${label}›`;
  }

  redact(text: string): string {
    const disguised = this.#disguises.look(text);
    if (!disguised.sees && disguised.found.length === 0 && this.#others.length === 0) return text;
    const groups = disguised.sees ? [...this.#others, ...this.#anchored] : this.#others;
    const found = groups.flatMap((group) => group.find(text));
    return found.length + disguised.found.length === 0 ? text : replace(text, [...found, ...disguised.found]);
  }

  /** Tells whether two secrets are equal without showing them; differs from run to run. */
  fingerprint(secret: string): string {
    return createHmac('sha256', this.#salt).update(secret).digest('hex').slice(0, 12);
  }
}

/** A label that replaced a secret earlier, as in evidence that is read back, is not a secret. */
const labelForm = /^‹[^‹›]*›$/;

interface Secret {
  readonly label: string;
  readonly length: number;
  readonly pattern: string;
  /** Matches a text that is nothing but a spelling of it. */
  readonly whole: RegExp;
}

/** Secrets that are looked for together, by one expression. */
class Group {
  readonly secrets: readonly Secret[];
  #expression: RegExp | null = null;

  constructor(secrets: readonly Secret[]) {
    // Of two with the same beginning, the longer one is tried first.
    this.secrets = [...secrets].sort((a, b) => b.length - a.length);
  }

  /** All places where a secret occurs, including overlapping ones. */
  find(text: string): readonly FoundSecret[] {
    this.#expression ??= new RegExp(this.secrets.map(({ pattern }) => pattern).join('|'), 'g');
    const found: FoundSecret[] = [];
    this.#expression.lastIndex = 0;
    for (let match = this.#expression.exec(text); match; match = this.#expression.exec(text)) {
      const [whole] = match;
      found.push({ from: match.index, to: match.index + whole.length, label: this.#labelOf(whole) });
      this.#expression.lastIndex = match.index + 1;
    }
    return found;
  }

  #labelOf(spelling: string): string {
    return this.secrets.find(({ whole }) => whole.test(spelling))?.label ?? 'secret';
  }
}

/** Groups of equal size are merged, so that each of n secrets is compiled log n times instead of n times. */
function withGroup(groups: readonly Group[], added: Group): readonly Group[] {
  const last = groups.at(-1);
  if (last?.secrets.length !== added.secrets.length) return [...groups, added];
  return withGroup(groups.slice(0, -1), new Group([...last.secrets, ...added.secrets]));
}

/** Overlapping secrets become one label: that of the one that starts first, and of those the longest. */
function replace(text: string, found: readonly FoundSecret[]): string {
  let result = '';
  let end = 0;
  let label: string | null = null;
  const close = () => (label === null ? '' : `‹${label}›`);
  for (const one of [...found].sort((a, b) => a.from - b.from || b.to - a.to)) {
    if (one.from >= end) {
      result += close() + text.slice(end, one.from);
      ({ label } = one);
    }
    end = Math.max(end, one.to);
  }
  return result + close() + text.slice(end);
}
