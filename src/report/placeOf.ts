import type { Finding } from '../engine/findings/finding.ts';
import { isPassive } from './causeTraits.ts';
import { answerOf } from './member.ts';
import { targetOf } from './page/moments.ts';
import { stepsOf } from './steps.ts';
import { shorten } from './text/printable.ts';

const longest = 200;

/**
 * The operation that a finding is about, with the key that was used: `POST /extPartner/api/webcheckin/update, key unknown`. Of a
 * case with several requests, the last that was answered as the finding says; null for callbacks and counted requests.
 */
export function placeOf(finding: Finding): string | null {
  const steps = stepsOf(finding);
  const status = answerOf(finding)?.status;
  const step =
    status !== undefined
      ? steps.findLast(({ line }) => line.includes(`: HTTP ${status}`))
      : isPassive(finding) || steps.length === 1
        ? steps[0]
        : undefined;
  const parts = /^(\S+) (\S+?)(?: with (?:an )?(.+)| without a key): (?:HTTP|no answer)/.exec(
    step?.line ?? '',
  );
  if (parts === null) return null;
  const [, method = '', target = '', key] = parts;
  return shorten(`${method} ${targetOf(target)}${key === undefined ? ', no key' : `, key ${key}`}`, longest);
}
