import { oneLine, shorten } from '../text/printable.ts';
import type { Spread } from './pageData.ts';

const mostKinds = 5;

/** Which answers break a requirement and which do not, in words; null if that is not informative. */
export function spreadText(spread: readonly Spread[] | undefined): string | null {
  if (spread === undefined) return null;
  const [broken, sound] = [spread.filter((one) => one.broken > 0), spread.filter((one) => one.broken === 0)];
  if (broken.length === 0) return null;
  // If only some answers of a kind break it, it means nothing that other kinds do not.
  const isWhole = broken.every((one) => one.broken * 10 >= one.total * 9);
  const told = (kinds: readonly Spread[]) => {
    const shown = kinds.slice(0, mostKinds).map(tellKind);
    const rest = kinds.length - shown.length;
    return [...shown, ...(rest > 0 ? [`${rest} more kinds`] : [])].join(', ');
  };
  return `${told(broken)}${sound.length === 0 || !isWhole ? '' : `; not in ${told(sound)}`}`;
}

function tellKind({ operation, status, broken, total }: Spread): string {
  const name = oneLine(shorten([operation, status].filter(Boolean).join(' '), 80));
  return `${name} (${broken} of ${total})`;
}
