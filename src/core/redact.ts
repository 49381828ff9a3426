import { createHmac, randomBytes } from 'node:crypto';
import { Disguises, inLayers, telling, type FoundSecret } from './disguises.ts';
import { isBeyondExpressions, LongSecrets, anchorsOf, secretPattern } from './secretPattern.ts';

/**
 * Replaces every known secret by its label before anything is recorded or shown. Secrets may become known during a run (a
 * callback key), but never later than the exchange that shows them.
 */
export class Redactor {
  readonly #labels = new Map<string, string>();
  readonly #salt = randomBytes(32);
  readonly #disguises = new Disguises();
  /** By a piece of twelve characters, without which a text contains none of them. */
  readonly #anchored = new Map<string, readonly Group[]>();
  /** Secrets without such a piece. */
  #others: readonly Group[] = [];
  readonly #long = new LongSecrets();
  /** Values that stood for themselves under a label, since no secret was known in them. */
  readonly #unknown = new Map<string, string>();
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
    if (isBeyondExpressions(secret)) {
      this.#long.add(secret, label);
      return;
    }
    const group = new Group([new Secret(secret, label)]);
    const anchors = anchorsOf(secret, telling);
    if (anchors === null) this.#others = withGroup(this.#others, group);
    else this.#anchor(new Set(anchors), group);
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
    const { found: disguised, seen, decoded } = this.#disguises.look(text);
    const isClean = seen.size === 0 && disguised.length === 0 && this.#others.length === 0;
    if (isClean && this.#long.size === 0) return text;
    const anchored = [...seen].flatMap((piece) => this.#anchored.get(piece) ?? []);
    const find = (given: string) => [...this.#others, ...anchored].flatMap((group) => group.find(given));
    const found = [...find(text), ...inLayers(decoded, find), ...this.#long.find(text)];
    return found.length + disguised.length === 0 ? text : replace(text, [...found, ...disguised]);
  }

  /** Tells whether two secrets are equal without showing them; differs from run to run. */
  fingerprint(secret: string): string {
    return createHmac('sha256', this.#salt).update(secret).digest('hex').slice(0, 12);
  }

  /** The label of a credential that is not known: the same for the same value. */
  unknown(value: string): string {
    const label = `‹unknown credential ${this.fingerprint(value)}›`;
    if (this.#unknown.size < mostUnknown) this.#unknown.set(label, value);
    return label;
  }

  /** Labels of unknown credentials that turned out to hold this secret, each with what would be shown for it now. */
  recognized(secret: string): readonly (readonly [label: string, text: string])[] {
    const found = [...this.#unknown].filter(([, value]) => value.includes(secret));
    for (const [label] of found) this.#unknown.delete(label);
    return found.map(([label, value]) => [label, this.labelOf(value) ?? this.redact(value)]);
  }

  #anchor(pieces: ReadonlySet<string>, group: Group): void {
    this.#disguises.watch(pieces);
    for (const piece of pieces) this.#anchored.set(piece, withGroup(this.#anchored.get(piece) ?? [], group));
  }
}

/** A callback may come before the answer that makes its key known, but hardly so many. */
const mostUnknown = 1000;

/** A label that replaced a secret earlier, as in evidence that is read back, is not a secret. */
const labelForm = /^‹[^‹›]*›$/;

/** A secret, whose expressions are only made for a text that may contain it: few of a run's keys are ever shown. */
class Secret {
  readonly label: string;
  readonly length: number;
  readonly #value: string;
  #pattern: string | null = null;
  #whole: RegExp | null = null;

  constructor(value: string, label: string) {
    [this.#value, this.label, this.length] = [value, label, value.length];
  }

  get pattern(): string {
    return (this.#pattern ??= secretPattern(this.#value));
  }

  /** Whether a text is nothing but a spelling of it. */
  is(spelling: string): boolean {
    this.#whole ??= new RegExp(`^(?:${this.pattern})$`);
    return this.#whole.test(spelling);
  }
}

/** Secrets that are looked for together, by one expression. */
class Group {
  readonly secrets: readonly Secret[];
  #expression: RegExp | null = null;

  constructor(secrets: readonly Secret[]) {
    // Of two with the same beginning, the longer one is tried first.
    this.secrets = [...secrets].sort((a, b) => b.length - a.length);
  }

  /** All places where a secret occurs. What overlaps the one before only makes it longer: of that, the label counts. */
  find(text: string): readonly FoundSecret[] {
    this.#expression ??= new RegExp(this.secrets.map(({ pattern }) => pattern).join('|'), 'g');
    const found: FoundSecret[] = [];
    let end = 0;
    this.#expression.lastIndex = 0;
    for (let match = this.#expression.exec(text); match; match = this.#expression.exec(text)) {
      const { 0: whole, index: from } = match;
      const to = Math.max(end, from + whole.length);
      const last = from < end ? found.pop() : undefined;
      found.push(last ? { ...last, to } : { from, to, label: this.#labelOf(whole) });
      end = to;
      this.#expression.lastIndex = from + 1;
    }
    return found;
  }

  #labelOf(spelling: string): string {
    return this.secrets.find((secret) => secret.is(spelling))?.label ?? 'secret';
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
