/** The command line that sends the same load again: with the seed that the user did not give. */
export function withSeed(command: string, seed: number): string {
  return /\s--seed\b/.test(command) ? command : `${command} --seed ${seed}`;
}
