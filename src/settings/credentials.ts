/** The password of an address, as written and as whoever connects decodes it; empty if there is none. */
export function passwordsOf({ password }: Pick<URL, 'password'>): readonly string[] {
  return [...new Set([password, decoded(password) ?? ''])].filter((text) => text !== '');
}

/** Whether name and password can be decoded: a lone `%` has to be written `%25`. */
export function hasReadableCredentials({ username, password }: Pick<URL, 'username' | 'password'>): boolean {
  return [username, password].every((text) => decoded(text) !== null);
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
