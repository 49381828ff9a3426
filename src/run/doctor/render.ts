import { type Palette, plainPalette } from '../../core/palette.ts';
import { plural } from '../../report/text/format.ts';
import { renderConfigPart } from '../../settings/configTemplate.ts';
import { oneLine } from '../../report/text/printable.ts';

/** A block for each area: the findings, and below them what to do. */
export function renderDoctor(lines: readonly DoctorLine[], palette: Palette = plainPalette): string {
  const { bold } = palette;
  const width = Math.max(...lines.map(({ subject }) => subject.length));
  const blocks = areas.flatMap((area) => {
    const own = lines.filter((line) => line.area === area);
    if (own.length === 0) return [];
    const title = bold(`${area.charAt(0).toUpperCase()}${area.slice(1)}`);
    return [[title, ...own.flatMap((line) => renderLine(line, width, palette))].join('\n')];
  });
  return `${[blocks.join('\n'), renderOffer(lines, palette), renderSum(lines, palette)].filter((part) => part !== '').join('\n\n')}\n`;
}

/** The settings that are missing, as text for the config file. */
function renderOffer(lines: readonly DoctorLine[], { bold }: Palette): string {
  const settings = missingSettings(lines);
  if (settings.length === 0) return '';
  const title = bold(
    'To judge more, add to gatecheck.config.ts what you have (or: gatecheck init --from-doctor)',
  );
  return `${title}\n${renderConfigPart(settings)}`;
}

/** The settings that would let a run judge more. */
export function missingSettings(lines: readonly DoctorLine[]): readonly string[] {
  return [...new Set(lines.flatMap(({ setting }) => setting ?? []))];
}

function renderLine(
  line: DoctorLine,
  width: number,
  { green, yellow, red, dim }: Palette,
): readonly string[] {
  const { health, subject, text, todo } = line;
  const paint = { ok: green, warn: yellow, fail: red }[health];
  const told = `  ${paint(health.padEnd(4))}  ${subject.padEnd(width)}  ${oneLine(text)}`;
  return todo === null ? [told] : [told, dim(`${' '.repeat(width + 10)}${oneLine(todo)}`)];
}

function renderSum(lines: readonly DoctorLine[], { green, yellow, red }: Palette): string {
  const count = (health: DoctorLine['health']) => lines.filter((line) => line.health === health).length;
  if (count('fail') > 0)
    return red(`${count('fail')} failed: a run would not be conclusive, or its gate not met.`);
  if (count('warn') > 0)
    return yellow(`Ready, with ${plural(count('warn'), 'warning')}: a run judges less than it could.`);
  return green('Ready.');
}

export const areas = ['target', 'keys', 'clock', 'state handler', 'sink', 'known data', 'gate'] as const;
type Area = (typeof areas)[number];

/** One thing that was checked before a run. */
export interface DoctorLine {
  readonly area: Area;
  readonly health: 'ok' | 'warn' | 'fail';
  /** An API, a key by its label, a capability. */
  readonly subject: string;
  /** What was found. */
  readonly text: string;
  /** What to do about it; null for nothing. */
  readonly todo: string | null;
  /** The setting that would help, such as `keys.other`, if a config file may have it. */
  readonly setting?: string;
}

export function ok(area: Area, subject: string, text: string): DoctorLine {
  return { area, health: 'ok', subject, text, todo: null };
}

/** A run works without it, but judges less. */
export function warn(area: Area, subject: string, text: string, todo: string, setting?: string): DoctorLine {
  return { area, health: 'warn', subject, text, todo, ...(setting === undefined ? {} : { setting }) };
}

/** A run would be inconclusive, or its gate not met. */
export function fail(area: Area, subject: string, text: string, todo: string): DoctorLine {
  return { area, health: 'fail', subject, text, todo };
}
