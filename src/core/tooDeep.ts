/** Deeper than any body of the APIs, and shallow enough for everyone to traverse and to show. */
export const deepest = 500;

/**
 * Whether JSON is nested too deep to be read, by its brackets alone. Brackets in strings count as well: only a body with hundreds
 * of them open at once counts as too deep. Pages ask it too, so that it imports nothing.
 */
export function isTooDeep(json: Uint8Array | string): boolean {
  if (json.length <= 2 * deepest || !hasManyBrackets(json)) return false;
  return isOpenTooOften(typeof json === 'string' ? new TextEncoder().encode(json) : json);
}

function isOpenTooOften(body: Uint8Array): boolean {
  let depth = 0;
  // eslint-disable-next-line @typescript-eslint/prefer-for-of -- the iterator of bytes takes three times as long
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === 0x5b || byte === 0x7b) depth += 1;
    else if (byte === 0x5d || byte === 0x7d) depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}

/** Whether there are enough opening brackets to be too deep; searching for them takes a fifth of the time of reading each byte. */
function hasManyBrackets(json: Uint8Array | string): boolean {
  let count = 0;
  for (const bracket of '[{') {
    const next = (from: number) =>
      typeof json === 'string' ? json.indexOf(bracket, from) : json.indexOf(bracket.charCodeAt(0), from);
    for (let at = next(0); at >= 0 && count <= deepest; at = next(at + 1)) count += 1;
  }
  return count > deepest;
}
