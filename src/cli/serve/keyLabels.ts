import type { DefaultKeys } from '../../reference/enterprises.ts';

/** Names a key of the sandbox by its role, such as `primary#1`; those that its state handler made are `issued key`. */
export function keyLabels(
  keys: DefaultKeys,
  isKey: (value: string) => boolean,
): (key: string | null) => string {
  const { primary, other, ...single } = keys;
  const labels = new Map<string, string>([
    ...primary.map((key, index) => [key, `primary#${index + 1}`] as const),
    ...other.map((key, index) => [key, `other#${index + 1}`] as const),
    ...Object.entries(single).map(([role, key]) => [key, role] as const),
  ]);
  return (key) =>
    key === null ? 'no key' : (labels.get(key) ?? (isKey(key) ? 'issued key' : 'unknown key'));
}
