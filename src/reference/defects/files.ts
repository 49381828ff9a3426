import type { SentParts } from '../shared/multipart.ts';
import { breaking } from './handlers.ts';
import { defectsOf, type Defect } from './row.ts';

const { sometimes } = defectsOf('webcheckin');
const textOf = ({ bytes }: SentParts) => bytes.toString('latin1');

/** Mistakes in reading the file parts of some clients. */
export const fileDefects: readonly Defect[] = [
  sometimes(
    'file-name-extended-500',
    'A file name that is written with its charset is an internal error.',
    'WCI-MP-081',
    {
      front: breaking(({ text }) => /; filename\*=/i.test(text)),
    },
  ),
  sometimes(
    'file-name-beyond-ascii',
    'A file name has letters of ASCII only.',
    'WCI-MP-081 also WCI-MP-008 WCI-MP-009',
    {
      readsParts: (sent) => !/; filename="[^"]*[^\x00-\x7f]/.test(textOf(sent)),
    },
  ),
  sometimes('file-empty-500', 'A file without bytes is an internal error.', 'WCI-MP-081', {
    front: breaking(({ text }) => /; filename="[^]*?\r\n\r\n\r\n--/.test(text)),
  }),
];
