/** The parts of a command that sends a finding again; a path may be quoted. */
export const replayParts =
  /^(?<before>.*?\b)replay (?<fingerprint>\S+)(?: --from (?<from>(?:'[^']*'|\\'|[^\s'])+))?(?<options>.*)$/s;

/** The command that writes a finding as a script, from the one that replays it; null if nothing that was sent can be sent again. */
export function scriptCommand(replay: string): string | null {
  const { fingerprint } = replayParts.exec(replay)?.groups ?? {};
  return fingerprint === undefined ? null : `${replay} --script ${fingerprint}.sh`;
}
