import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import { systemClock } from '../../core/clock.ts';
import { isDelivery, type Evidence, type Exchange, type Headers } from '../../core/evidence.ts';
import type { Redactor } from '../../core/redact.ts';
import type { Settings } from '../../core/settings.ts';
import type { ClockBook } from '../../engine/clock/clockBook.ts';
import { clockNotice } from '../../engine/clock/clockNotice.ts';
import { cutOffOf, isCutOff } from '../../engine/attempt/cutOff.ts';
import { FindingMaker } from '../../engine/findings/findings.ts';
import { Observer } from '../../engine/observe/observer.ts';
import { notRun, passiveOutcome, type CheckOutcome } from '../../engine/findings/outcome.ts';
import { SecretWatch } from '../../engine/observe/secretWatch.ts';
import { ServerClock } from '../../engine/clock/serverClock.ts';
import type { EngineCheck } from '../../engine/suite.ts';
import type { Known } from '../../judge/kernel/oracle.ts';
import { oracles } from '../../judge/oracles.ts';
import { RecentMap } from '../../judge/kernel/recentMap.ts';
import type { Journal } from '../../send/journal.ts';
import type { KeyRing } from '../../send/keyRing.ts';
import { isNote, type Claim, type Note } from '../../trace/evidence.ts';
import type { Recorded } from './lineEvidence.ts';
import { recordedOracles, type RecordedOracles } from './recordedOracles.ts';
import { utf8TextOf } from '../../core/bytes.ts';
import { isPlaceholder } from './placeholder.ts';

interface RecordedJudgeParts {
  readonly settings: Settings;
  readonly checks: readonly EngineCheck[];
  readonly keys: KeyRing;
  readonly redactor: Redactor;
  readonly journal: Journal;
  /** What runs of the user moved, for traffic that does not say. */
  readonly clockBook: ClockBook;
  /** Labels of the keys that the user has, for commands; null, which is the default, where nobody knows. */
  readonly heldKeys?: ReadonlySet<string> | null;
  /** Whether nobody else used up limits; true by default, as what others sent is considered for each recording. */
  readonly isAlone?: boolean;
}

/** Lets all passive oracles see traffic that others caused, in its order. Sends nothing. */
export class RecordedJudge {
  readonly observer: Observer;
  readonly #parts: RecordedJudgeParts;
  readonly #secrets: SecretWatch;
  readonly #limited: RecordedOracles;
  /** How far the clock had been moved at what is seen now, as far as the journal knows. */
  #movedMs = 0;
  readonly #cutOff = new RecentMap<string, Exchange>();
  readonly #outages: (Claim & { readonly claim: 'outage' })[] = [];

  constructor(parts: RecordedJudgeParts) {
    const { settings, keys, redactor, journal, isAlone = true } = parts;
    this.#parts = parts;
    this.#secrets = new SecretWatch(redactor, keys, settings);
    this.#limited = recordedOracles(oracles);
    const movedMs = () => this.#movedMs;
    const known: Known = {
      limits: settings.limits,
      isAlone,
      get movedMs() {
        return movedMs();
      },
    };
    this.observer = new Observer({
      ...{ oracles: this.#limited.oracles, secrets: this.#secrets, journal, known },
      serverClock: new ServerClock(systemClock, known),
      listener: () => undefined,
    });
  }

  /** Tells the redactor what must not be shown of evidence, before any of it is judged or written. */
  learn(all: readonly Evidence[]): void {
    learnSecrets(all, this.#secrets, this.#parts.redactor);
  }

  /** Tells what there is, before the oracles see it. */
  add(one: Recorded): void {
    this.#limited.add(one);
  }

  /** Judges and writes down; the next may come once this resolves. */
  async see(one: Recorded): Promise<void> {
    const { evidence, begins = false, movedMs = this.#parts.clockBook.movedMs } = one;
    if (begins) this.observer.forget();
    if (movedMs !== this.#movedMs) this.#tellMoved(movedMs);
    this.#movedMs = movedMs;
    if (isNote(evidence)) this.#heed(evidence);
    else if (isDelivery(evidence)) await this.observer.seeDelivery(evidence);
    else {
      if (isCutOff(evidence)) this.#cutOff.set(evidence.id, evidence);
      this.observer.see(evidence);
    }
    await this.#parts.journal.drained();
  }

  #tellMoved(movedMs: number): void {
    this.#parts.journal.note({ type: 'claim', at: systemClock.now(), claim: 'moved-clock', movedMs });
  }

  /** What the run concluded or took back, is concluded or taken back here. */
  #heed(note: Note): void {
    this.observer.heed(note);
    if (note.type !== 'claim') return;
    const { tallies } = this.observer;
    if (note.claim === 'outage') this.#outages.push(note);
    if (note.claim === 'stranger') tallies.forget();
    const last = note.claim === 'cut-off' ? this.#cutOff.get(note.exchanges.at(-1) ?? '') : undefined;
    if (note.claim === 'cut-off' && last?.operation)
      tallies.add(last, cutOffOf(last.operation, note.exchanges));
  }

  /** How far off the target's clock was, in words; null where it agreed with the recorder's. */
  clockNotice(): string | null {
    return clockNotice(this.observer.serverClock, this.#parts.clockBook.path);
  }

  /** What all of it comes to, by check. */
  end(): readonly CheckOutcome[] {
    const { checks, redactor, settings, heldKeys = null } = this.#parts;
    this.observer.end();
    for (const { exchanges, why } of this.#outages) this.observer.tallies.withdraw(new Set(exchanges), why);
    const catalogue = loadCatalogue();
    const maker = new FindingMaker({ catalogue, redactor, seed: settings.seed, heldKeys });
    return checks.map((check) =>
      check.kind === 'passive'
        ? explained(
            passiveOutcome(check, this.observer.tallies, { catalogue, maker }),
            this.#limited.withheld,
          )
        : notRun(check, 'skipped', unsent),
    );
  }
}

const unsent = 'a recording cannot show it: its check sends its own requests';

/** Says why what was there was not judged, rather than that there was nothing. */
function explained(outcome: CheckOutcome, withheld: ReadonlyMap<string, string>): CheckOutcome {
  const verdicts = [...outcome.verdicts].map(([requirement, verdict]) => {
    const why = withheld.get(requirement);
    const isOpen = verdict.status === 'skipped' && why !== undefined;
    return [requirement, isOpen ? { ...verdict, reason: why } : verdict] as const;
  });
  return { ...outcome, verdicts: new Map(verdicts) };
}

const credentials = /^(authorization|proxy-authorization|x-api-key|cookie|set-cookie)$/i;

/** What people name headers and parameters that hold a credential of their own. */
const secretName =
  /(^|[^a-z])(access|auth|pass(word|wd)?|pw|pwd|secret|sig(nature)?|tokens?|jwt|session|csrf|xsrf|credentials?|apikey)([^a-z]|$)|api[-_]?key|access[-_]?key|token$|secret$/i;

/** A shorter value is no secret, and replacing it everywhere would spoil the evidence. */
const shortest = 8;

/** Tells the redactor every secret of a recording, before any of it is judged or written. */
function learnSecrets(all: readonly Evidence[], watch: SecretWatch, redactor: Redactor): void {
  for (const evidence of all) {
    if (isDelivery(evidence)) {
      learnHeaders(evidence.headers, redactor);
      learnQuery(evidence.target, redactor);
    } else {
      watch.observe(evidence);
      learnHeaders(evidence.request.headers, redactor);
      learnQuery(evidence.request.target, redactor);
      learnAddresses(evidence.request.body, redactor);
      if (evidence.outcome.kind === 'response') learnHeaders(evidence.outcome.response.headers, redactor);
    }
  }
}

function learnHeaders(headers: Headers, redactor: Redactor): void {
  for (const [name, value] of headers) {
    const isSecret = credentials.test(name) || (secretName.test(name) && isUnguessable(value));
    for (const secret of isSecret ? secretsIn(name, value) : [])
      redactor.add(secret, `header ${name.toLowerCase()}`);
  }
}

/** What a name alone makes a secret must look like one: `X-Auth-Type: application` is none. */
function isUnguessable(value: string): boolean {
  return /\d/.test(value) || value.length >= longWord;
}

const longWord = 20;

/** Passwords and tokens in the addresses that a client registered. */
function learnAddresses(body: Uint8Array | null, redactor: Redactor): void {
  if (body === null || body.length > longestBody) return;
  const text = utf8TextOf(body)?.replaceAll('\\/', '/') ?? '';
  const addresses = text.match(/https?:\/\/[^\s"'<>\\]{1,2000}/gi) ?? [];
  for (const address of addresses.slice(0, mostAddresses)) {
    const url = URL.parse(address);
    if (url === null) continue;
    // A user without a password may be a token.
    addRawAndRead(url.password === '' ? url.username : url.password, 'password of an address', redactor);
    learnQuery(address, redactor);
  }
}

/** Registrations are short; uploads of documents hold no addresses. */
const longestBody = 1_000_000;
/** Each secret costs time in all that is written: a hostile recording must not bring any number of them. */
const mostAddresses = 20;
const mostPairs = 50;

function learnQuery(target: string, redactor: Redactor): void {
  const start = target.indexOf('?');
  if (start < 0) return;
  for (const pair of target.slice(start + 1).split(/[&#]/, mostPairs)) {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    if (secretName.test(name)) addRawAndRead(value, `query ${nameIn(name)}`, redactor);
  }
}

/** A name as it may stand in a label. */
function nameIn(name: string): string {
  return name.replace(/[^\w.-]/g, '').slice(0, longestName);
}

const longestName = 30;

function addRawAndRead(raw: string, label: string, redactor: Redactor): void {
  let read = raw;
  try {
    read = decodeURIComponent(raw);
  } catch {
    // It stands as it is.
  }
  for (const value of new Set([raw, read]))
    if (value.length >= shortest && !isPlaceholder(value)) redactor.add(value, label);
}

/** The whole value, what stands behind a scheme, and the values of cookies. */
function secretsIn(name: string, value: string): readonly string[] {
  const cookies = /cookie$/i.test(name)
    ? value.split(';').map((pair) => pair.replace(/^[^=]*=/, '').trim())
    : [];
  const parts = cookies.length > 0 ? cookies.slice(0, mostCookies) : [value, value.split(' ').at(-1) ?? ''];
  return parts.filter((part) => part.length >= shortest && !isPlaceholder(part));
}

const mostCookies = 50;
