import { bodyText, type Moment } from './moments.ts';

const most = { paths: 2, bytes: 200_000 };

/** Members that changed according to the callbacks of a case, such as `status` or `departure.gate`; the most informative first. */
export function changedPaths(moments: readonly Moment[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const moment of moments) {
    if (moment.kind !== 'delivery') continue;
    for (const path of leavesOf(bodyOf(moment)?.changes)) counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  // A status says more than the texts that accompany it.
  const weight = (path: string) => (path === 'status' ? 2 : path === 'sub_status' ? 1 : 0);
  return [...counts]
    .sort(([one, count], [other, otherCount]) => weight(other) - weight(one) || otherCount - count)
    .slice(0, most.paths)
    .map(([path]) => path);
}

/** What a moment says about these members, in a few words; empty if it says nothing. */
export function valuesAt(moment: Moment, paths: readonly string[]): string {
  const holder = holderOf(moment);
  if (holder === null) return '';
  return paths
    .flatMap((path) => {
      const value = valueAt(holder, path);
      return value === undefined ? [] : [told(path, value)];
    })
    .join(', ');
}

type Json = Readonly<Record<string, unknown>>;

function told(path: string, value: unknown): string {
  const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
  return path.endsWith('status') ? text : `${path.split('.').at(-1) ?? path} ${text}`;
}

/** The object that describes the record in a moment. */
function holderOf(moment: Moment): Json | null {
  const body = bodyOf(moment);
  if (body === null) return null;
  if (moment.kind === 'delivery') return objectIn(body.changes);
  if (moment.kind === 'state')
    return objectIn(body.changes) ?? (Array.isArray(body.legs) ? objectIn(body.legs[0]) : body);
  return objectIn(body.latest_status_snapshot) ?? objectIn(body.data) ?? objectIn(body[0]) ?? body;
}

function bodyOf(moment: Moment): Json | null {
  const text =
    moment.kind === 'state'
      ? moment.line.data.params
      : bodyText(
          moment.kind === 'delivery' ? moment.line.request.body : (moment.line.response?.body ?? null),
        );
  if (text.length > most.bytes) return null;
  try {
    return objectIn(JSON.parse(text));
  } catch {
    return null;
  }
}

function objectIn(value: unknown): Json | null {
  return typeof value === 'object' && value !== null ? (value as Json) : null;
}

function leavesOf(value: unknown, path = '', depth = 0): string[] {
  const holder = Array.isArray(value) || depth > 3 ? null : objectIn(value);
  if (holder === null) return path === '' ? [] : [path];
  return Object.entries(holder)
    .slice(0, 40)
    .flatMap(([name, one]) => leavesOf(one, path === '' ? name : `${path}.${name}`, depth + 1));
}

function valueAt(holder: Json, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => objectIn(at)?.[name], holder);
}
