import type { Finding } from '../engine/findings/finding.ts';
import type { ShownEvidence } from './page/pageData.ts';

/** The parts of a command that sends a finding again; a path may be quoted. */
export const replayParts =
  /^(?<before>.*?\b)replay (?<fingerprint>\S+)(?: --from (?<from>(?:'[^']*'|\\'|[^\s'])+))?(?<options>.*)$/s;

/** The command that writes a finding as a script; null where its requests are not recorded beside the report. */
export function scriptCommand(
  { reproduce, exchanges }: Pick<Finding, 'reproduce' | 'exchanges'>,
  { lines }: Pick<ShownEvidence, 'lines'>,
): string | null {
  const { fingerprint } = replayParts.exec(reproduce.command)?.groups ?? {};
  const isRecorded = exchanges.some((id) => lines[id] !== undefined);
  return fingerprint === undefined || !isRecorded ? null : `${reproduce.command} --script ${fingerprint}.sh`;
}
