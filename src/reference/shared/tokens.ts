/** Letters and digits that cannot be mistaken for one another are not needed here: ids are copied, never typed. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** `length` random letters and digits. */
export function randomToken(random: () => number, length: number): string {
  let token = '';
  for (let index = 0; index < length; index += 1)
    token += alphabet[Math.floor(random() * alphabet.length)] ?? 'A';
  return token;
}
