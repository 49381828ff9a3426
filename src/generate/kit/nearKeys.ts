/**
 * Values that are nearly a key, two or more of each kind: one may be a real key where keys are numbered, but hardly two. What
 * differs in letter case alone is left out, since it is open whether that matters.
 */
const changes = {
  'last character changed': (value) => others(value.slice(-1)).map((last) => value.slice(0, -1) + last),
  'last character missing': (value) => [value.slice(0, -1), value.slice(0, -2)],
  // HTTP strips one at either end.
  'a space within': (value) =>
    [Math.floor(value.length / 2), 1].map((at) => `${value.slice(0, at)} ${value.slice(at)}`),
  'a character more at the end': (value) => ['7', 'k'].map((more) => value + more),
  'a character more in front': (value) => ['7', 'k'].map((more) => more + value),
  'a % for its end, as in a search by pattern': (value) => [-1, -2].map((end) => `${value.slice(0, end)}%`),
  'an _ for one character, as in a search by pattern': (value) => [
    `${value.slice(0, -1)}_`,
    `${value.slice(0, -2)}_${value.slice(-1)}`,
  ],
  'quotation marks around it': (value) => [`"${value}"`],
} satisfies Readonly<Record<string, (value: string) => readonly string[]>>;

export type NearKey = keyof typeof changes;
export const nearKeys = Object.keys(changes) as readonly NearKey[];

/** Values of one kind near a key, none of which is empty or one of these keys as a deployment reads them. */
export function valuesNear(kind: NearKey, value: string, keys: readonly string[]): readonly string[] {
  return changes[kind](value).filter((near) => near.trim() !== '' && !keys.includes(near.trim()));
}

/** Other characters of the same kind, so that a value keeps its alphabet. */
function others(character: string): readonly string[] {
  const pool = ['9765432108', 'kvbcdfgmnz', 'KVBCDFGMNZ'].find((_, index) => classes[index]?.test(character));
  return Array.from(pool ?? '-_.').filter((other) => other !== character);
}

const classes = [/[0-9]/, /[a-z]/, /[A-Z]/];
