import { createRandom, hash32 } from '../../core/random.ts';

/** Fresh names for what a run creates: unique within a run, and almost always between runs. */
export interface Identities {
  /** A record locator: six upper-case letters and digits, a letter first. */
  readonly pnr: () => string;
  /** Twelve lower-case letters and digits, for paths and names. */
  readonly token: () => string;
  /** A header value without a colon, for use after `Authorization: `. */
  readonly authValue: () => string;
  /** A complete `auth_header`. */
  readonly authHeader: () => string;
  /** An external flight id with leading zeros, which must survive. */
  readonly fid: () => string;
  /** A flight number in its clean form: two letters and four digits, none of them a leading zero. */
  readonly flightNumber: () => string;
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const alphanumerics = `${letters}0123456789`;
const pnrSpace = letters.length * alphanumerics.length ** 5;
// 675 pairs of letters, ZZ left to flights that do not exist, by 9000 numbers; the stride is coprime to both.
const flightSpace = 675 * 9000;
const flightStride = 2_345_681;
// Coprime to the space (2, 3 and 13): every step gives a new pnr.
const pnrStride = 611_953_171;

/** The identities of a run. They follow from run id and seed, so that a repeated seed still makes new records. */
export function createIdentities(runId: string, seed: number): Identities {
  const start = hash32(`${runId}/${seed}/pnr`);
  const random = createRandom(hash32(`${runId}/${seed}/token`));
  const flightStart = hash32(`${runId}/${seed}/flight`) % flightSpace;
  let flights = 0;
  let pnrs = 0;
  let tokens = 0;
  const token = () => {
    tokens += 1;
    return randomText(random, 8) + tokens.toString(36).padStart(4, '0');
  };
  return {
    pnr: () => renderPnr((start + pnrStride * pnrs++) % pnrSpace),
    token,
    authValue: () => `Gatecheck-${token()}-aZ`,
    authHeader: () => `Authorization: Gatecheck-${token()}-aZ`,
    fid: () => `00gatecheck-${token()}`,
    flightNumber: () => renderFlightNumber((flightStart + flightStride * flights++) % flightSpace),
  };
}

function renderPnr(index: number): string {
  let rest = index;
  let text = '';
  for (let place = 0; place < 5; place += 1) {
    text = alphanumerics.charAt(rest % alphanumerics.length) + text;
    rest = Math.floor(rest / alphanumerics.length);
  }
  return letters.charAt(rest) + text;
}

function renderFlightNumber(index: number): string {
  const pair = Math.floor(index / 9000);
  return `${letters.charAt(Math.floor(pair / 26))}${letters.charAt(pair % 26)}${1000 + (index % 9000)}`;
}

function randomText(random: () => number, length: number): string {
  const pool = alphanumerics.toLowerCase();
  return Array.from({ length }, () => pool.charAt(Math.floor(random() * pool.length))).join('');
}
