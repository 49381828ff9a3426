import fc from 'fast-check';
import { headersOf } from './row.ts';

/** Values that have broken programs: sizes, types and extremes; none of them is larger than a deployment may answer. */
const extremes: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, false, '', ' ', [], {}, [[]], [{}], [null], 0, -1, 1.5, 1e308, -1e308, 5e-324),
  fc.constantFrom(2 ** 31, 2 ** 53, -(2 ** 53), 1e9, 99_999_999_999, '99999999999', '1e400', '-0', 'NaN'),
  fc.constantFrom(
    '+275760-09-13T00:00:00.000Z',
    '-271821-04-20T00:00:00.000Z',
    '9999-99-99T99:99:99Z',
    '0000-00-00',
  ),
  fc.constantFrom(
    'http://[::1',
    'https://a@b:c@d/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '//',
    'http://0x7f.1',
  ),
  fc.constantFrom(
    '../../x',
    '%00',
    '%',
    '\u0000',
    '\ud800',
    '\u202e',
    '<script>alert(1)</script>',
    '${jndi:x}',
    "'; --",
  ),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    { __proto__: null, constructor: 1 },
    { length: 1e9 },
    { toJSON: 1 },
  ),
  fc.constantFrom(
    ...[1e3, 1e5].flatMap((size) => [
      ' '.repeat(size),
      'a'.repeat(size),
      '9'.repeat(size),
      'é\n'.repeat(size),
    ]),
  ),
  fc.constantFrom(Array(10_000).fill(0), Array(2_000).fill({ checkin_id: 'x' }), nested(2_000), wide(5_000)),
  fc.json().map((text) => JSON.parse(text) as unknown),
);

function nested(depth: number): unknown {
  return depth === 0 ? 'deep' : JSON.parse(`${'['.repeat(depth)}"deep"${']'.repeat(depth)}`);
}

function wide(members: number): unknown {
  return Object.fromEntries(Array.from({ length: members }, (_, index) => [`member${index}`, index]));
}

/** A place in a JSON value: the names and indexes that lead to it. */
type Place = readonly (string | number)[];

/** Answers of a deployment of which every second one has a member, anywhere in it, replaced by an extreme. The same for a seed. */
export function fuzzedMembers(seed: number): (response: Response) => Promise<Response> {
  const draws = fc.sample(fc.record({ changed: fc.boolean(), where: fc.nat(), value: extremes }), {
    seed,
    numRuns: 4_000,
  });
  let turn = 0;
  return async (response) => {
    const text = await response.text();
    const draw = draws[turn % draws.length];
    turn += 1;
    const headers = headersOf(response);
    const places = text.startsWith('{') ? placesIn(JSON.parse(text)) : [];
    const place = places[(draw?.where ?? 0) % Math.max(places.length, 1)];
    const body = draw?.changed === true && place !== undefined ? withValue(text, place, draw.value) : text;
    return new Response(response.status === 204 ? null : body, { status: response.status, headers });
  };
}

function placesIn(value: unknown, at: Place = []): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([name, own]) => placesIn(own, [...at, name]))];
}

function withValue(text: string, place: Place, value: unknown): string {
  const whole: { root: unknown } = { root: JSON.parse(text) };
  let holder = whole as unknown as Record<string | number, unknown>;
  const way = ['root', ...place];
  for (const name of way.slice(0, -1)) holder = holder[name] as Record<string | number, unknown>;
  holder[way.at(-1) ?? 'root'] = value;
  return JSON.stringify(whole.root);
}
