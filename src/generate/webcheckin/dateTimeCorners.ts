import { digits, renderDate, type LocalDateTime } from '../kit/localTime.ts';

/** A spelling of a flight clock on which the document is silent: observed (WCI-OPN-036), never judged. */
interface DateTimeCorner {
  readonly name: string;
  readonly text: (local: LocalDateTime) => string;
}

const time = ({ hour, minute }: LocalDateTime) => `${digits(hour, 2)}:${digits(minute, 2)}`;
const plain = (local: LocalDateTime) => `${renderDate(local)}T${time(local)}:00`;

export const dateTimeCorners: readonly DateTimeCorner[] = [
  { name: 'hour-24', text: (local) => `${renderDate(local)}T24:00` },
  { name: 'second-60', text: (local) => `${renderDate(local)}T${time(local)}:60` },
  { name: 'lower-case-t', text: (local) => plain(local).replace('T', 't') },
  { name: 'lower-case-z', text: (local) => `${plain(local)}z` },
  { name: 'fraction-without-seconds', text: (local) => `${renderDate(local)}T${time(local)}.5` },
  { name: 'offset-hours-only', text: (local) => `${plain(local)}+04` },
  { name: 'offset-hour-out-of-range', text: (local) => `${plain(local)}+25:00` },
  { name: 'offset-minute-out-of-range', text: (local) => `${plain(local)}+04:60` },
  { name: 'space-before-suffix', text: (local) => `${plain(local)} +04:00` },
  { name: 'tabs-around', text: (local) => `\t${plain(local)}\t` },
  { name: 'newline-after', text: (local) => `${plain(local)}\n` },
  { name: 'no-break-space-before', text: (local) => `\u00a0${plain(local)}` },
];
