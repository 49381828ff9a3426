import { isTooDeep } from '../../core/tooDeep.ts';

/** A line of a body as displayed. */
export interface BodyLine {
  readonly text: string;
  readonly marked: boolean;
}

/** Shorter JSON stays on one line. */
const longLine = 80;
/** Most lines of a body that are shown at first: with a mark in it, and without. */
const mostLines = { marked: 14, plain: 40 };
/** Lines around a mark, and marked lines at the beginning and at the end of a long part. */
const around = 2;
const mostMarked = 8;
/** Fewer lines are not worth folding. */
const fewestAway = 3;
/** A longer body is cut: `evidence.ndjson` has it. */
const mostOfAll = 20_000;

/**
 * The lines of a body: JSON is indented, with each value spelled as it came, and the lines of the member are marked; anything else,
 * and JSON nested too deep, is shown as it is.
 */
export function bodyLines(
  text: string,
  member: string | null,
  value: string | null = null,
): readonly BodyLine[] {
  const lines = isJson(text) ? jsonLines(text, member) : textLines(text, member);
  return (value === null ? lines : withValue(lines, value)).slice(0, mostOfAll);
}

/** A part of a body: what to see at first, or what is away from it. */
export interface BodyPart {
  readonly isAway: boolean;
  readonly lines: readonly BodyLine[];
}

/** A body in parts: the marked lines, what they are in, and their neighbours; the rest is away. */
export function partsOf(lines: readonly BodyLine[], mostPlain = mostLines.plain): readonly BodyPart[] {
  const near = nearIn(lines, mostPlain);
  const runs = runsOf(lines.map((_, index) => !near(index)));
  const isAway = runs.flatMap(({ value, length }) =>
    new Array<boolean>(length).fill(value && length >= fewestAway),
  );
  let from = 0;
  return runsOf(isAway).map(({ value, length }) => {
    from += length;
    return { isAway: value, lines: lines.slice(from - length, from) };
  });
}

/** Equal values one after another, as one. */
function runsOf(values: readonly boolean[]): readonly { readonly value: boolean; readonly length: number }[] {
  const runs: { value: boolean; length: number }[] = [];
  for (const value of values) {
    const last = runs.at(-1);
    if (last?.value === value) last.length += 1;
    else runs.push({ value, length: 1 });
  }
  return runs;
}

function nearIn(lines: readonly BodyLine[], mostPlain: number): (index: number) => boolean {
  const marks = lines.flatMap(({ marked }, index) => (marked ? [index] : []));
  const last = lines.length - 1;
  if (marks.length === 0) return (index) => index < mostPlain;
  if (lines.length <= mostLines.marked) return () => true;
  const near = new Set([0, last]);
  for (const mark of marks.length <= 2 * mostMarked
    ? marks
    : [...marks.slice(0, mostMarked), ...marks.slice(-mostMarked)]) {
    for (let at = mark - around; at <= mark + around; at += 1) near.add(at);
    for (const above of containersOf(lines, mark)) near.add(above);
  }
  return (index) => near.has(index);
}

/** The lines that open what a line is in. */
function containersOf(lines: readonly BodyLine[], line: number): readonly number[] {
  const found: number[] = [];
  let depth = indentOf(lines[line]);
  for (let at = line - 1; at >= 0 && depth > 0; at -= 1) {
    const own = indentOf(lines[at]);
    if (own >= depth) continue;
    found.push(at);
    depth = own;
  }
  return found;
}

function indentOf(line: BodyLine | undefined): number {
  return line === undefined ? 0 : line.text.length - line.text.trimStart().length;
}

/** JSON parts of a multipart body are indented as well. */
function textLines(text: string, member: string | null): BodyLine[] {
  return text
    .split(/\r?\n/)
    .flatMap((line) => (line.length > longLine && isJson(line) ? jsonLines(line, member) : [unmarked(line)]));
}

/** Of several members with the same name, as in a list, those with this value; all if none has it. */
function withValue(lines: readonly BodyLine[], value: string): readonly BodyLine[] {
  const sought = value.replace(/\s+/g, '');
  const kept = new Set<number>();
  for (let from = 0; from < lines.length; from += 1) {
    if (lines[from]?.marked !== true || lines[from - 1]?.marked === true) continue;
    let to = from;
    while (lines[to]?.marked === true) to += 1;
    const said = lines.slice(from, to).map((line) => line.text.replace(/\s+/g, ''));
    if (said.join('').replace(/,$/, '').endsWith(`:${sought}`))
      for (let at = from; at < to; at += 1) kept.add(at);
  }
  return kept.size === 0 ? lines : lines.map(({ text }, at) => ({ text, marked: kept.has(at) }));
}

function unmarked(text: string): BodyLine {
  return { text, marked: false };
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text) || isTooDeep(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

interface Frame {
  readonly isList: boolean;
  key: string;
  index: number;
  /** Its key names the member. */
  isNamed: boolean;
  /** A key above it does. */
  readonly isInside: boolean;
}

const jsonTokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Splits valid JSON into tokens, so that numbers and escapes stay as they were written. */
function jsonLines(text: string, member: string | null): BodyLine[] {
  const lines: BodyLine[] = [];
  const stack: Frame[] = [];
  let line = '';
  const isMember = aboutOf(member);
  const end = () => {
    if (line === '') return;
    lines.push({ text: '  '.repeat(stack.length) + line, marked: isMember(stack) });
    line = '';
  };
  const tokens = text.match(jsonTokens) ?? [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    const frame = stack.at(-1);
    if (token === '{' || token === '[') {
      line += token;
      if (tokens[at + 1] === '}' || tokens[at + 1] === ']') continue;
      end();
      const isInside = frame !== undefined && (frame.isInside || frame.isNamed);
      stack.push({ isList: token === '[', key: '', index: 0, isNamed: false, isInside });
    } else if (token === '}' || token === ']') {
      if (line.endsWith('{') || line.endsWith('[')) line += token;
      else {
        end();
        stack.pop();
        line = token;
      }
    } else if (token === ',') {
      line += ',';
      end();
      if (frame) frame.index += 1;
    } else if (token === ':') line += ': ';
    else {
      if (frame && !frame.isList && tokens[at + 1] === ':') {
        frame.key = token.slice(1, -1);
        frame.isNamed = member !== null && frame.key.split(/[.[]/).includes(member);
      }
      line += token;
    }
  }
  end();
  return lines;
}

/**
 * Whether a place is the member or inside it; a member without a path matches anywhere. What a line takes must not grow with the
 * levels above it.
 */
function aboutOf(member: string | null): (stack: readonly Frame[]) => boolean {
  if (member === null) return () => false;
  const steps = member.match(/[.[]/g)?.length ?? 0;
  if (steps > 0) return (stack) => isAbout(pathOf(ends(stack, steps + 3)), member);
  return (stack) => {
    const last = stack.at(-1);
    return last !== undefined && (last.isInside || last.isNamed);
  };
}

/** Only the first and the last steps of a long path can be those of the member. */
function ends(stack: readonly Frame[], most: number): readonly Frame[] {
  return stack.length <= 2 * most ? stack : [...stack.slice(0, most), ...stack.slice(-most)];
}

/** `[0].departure.gate` */
function pathOf(stack: readonly Frame[]): string {
  return stack
    .map(({ isList, key, index }) => (isList ? `[${index}]` : `.${key}`))
    .join('')
    .replace(/^\./, '');
}

/** Whether a path is the member, which has a path as well, or inside it. */
function isAbout(path: string, member: string): boolean {
  return [path, path.replace(/^\[\d+\]\./, ''), path.replace(/\[\d+\]/g, '[]')].some(
    (one) =>
      one === member ||
      one.startsWith(`${member}.`) ||
      one.startsWith(`${member}[`) ||
      one.endsWith(`.${member}`),
  );
}
