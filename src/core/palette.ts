/** Colors as functions, injected, so that a render knows nothing of terminals. */
export interface Palette {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
}

export type Paint = (text: string) => string;

const asIs: Paint = (text) => text;

/** No color: for files, pipes, `CI` and `NO_COLOR`. */
export const plainPalette: Palette = {
  bold: asIs,
  dim: asIs,
  red: asIs,
  green: asIs,
  yellow: asIs,
  cyan: asIs,
};

/** The basic colors that every terminal theme makes readable. */
export const ansiPalette: Palette = {
  bold: ansi(1, 22),
  dim: ansi(2, 22),
  red: ansi(31, 39),
  green: ansi(32, 39),
  yellow: ansi(33, 39),
  cyan: ansi(36, 39),
};

function ansi(open: number, close: number): Paint {
  return (text) => `\u001b[${open}m${text}\u001b[${close}m`;
}
