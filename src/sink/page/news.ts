// The messages between the sink's server and its page; types only, since each side is a separate program.

/** Whether a delivery carried the credential that was expected. */
export interface CredentialVerdict {
  readonly status: 'match' | 'mismatch' | 'missing' | 'unchecked';
  /** A description of what came, without showing it. */
  readonly text: string;
}

/** An address that the sink gave out, as people see it. */
export interface AddressView {
  readonly token: string;
  readonly label: string;
  readonly url: string;
  /** The script of its answers. */
  readonly answer: string;
  /** Name of the header that its deliveries must carry; null if none is checked. */
  readonly expects: string | null;
  readonly count: number;
  readonly mismatches: number;
}

/** A request as people may see it: without secrets, and with nothing that affects a terminal or hides. */
export interface ArrivalView {
  /** ISO 8601 UTC. */
  readonly at: string;
  /** Milliseconds from its header to its last byte. */
  readonly ms: number;
  readonly method: string;
  readonly target: string;
  readonly connection: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** The body as indented JSON; null if it is not JSON. */
  readonly pretty: string | null;
  /** The size in words; `body` may show only the beginning. */
  readonly size: string;
  /** Its subject, in a few words. */
  readonly about: string;
}

/** An arrival on the board. */
export interface BoardEntry extends ArrivalView {
  readonly seq: number;
  /** Label of the address; null for one that was not given out. */
  readonly label: string | null;
  readonly answer: string;
  readonly credential: CredentialVerdict;
}

/** Everything that changed since a reader last looked. */
export interface News {
  /** The reader must forget the arrivals that it has. */
  readonly reset: boolean;
  readonly addresses: readonly AddressView[];
  /** In order of arrival. */
  readonly arrivals: readonly BoardEntry[];
  readonly total: number;
  readonly strays: number;
}

/** What a user may request, by the last part of the path that it is posted to. */
export interface Requests {
  readonly answer: { readonly token: string; readonly script: string };
  /** An empty value switches the check off. */
  readonly expect: {
    readonly token: string;
    readonly name: 'X-API-Key' | 'Authorization';
    readonly value: string;
  };
  readonly open: { readonly label: string };
}

/** The result of a request. */
export type Reply = { readonly ok: true } | { readonly ok: false; readonly error: string };
