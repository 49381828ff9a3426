/** A callback on its way out. */
export interface OutgoingRequest {
  readonly method: 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Where the host of `url` is reached instead of by its name, with the certificate authority to trust there. */
  readonly route: Route | null;
}

export interface Route {
  readonly address: string;
  readonly ca: string | null;
}

/** What came back: the HTTP status, or null where none did, and where a redirect points. */
export interface DeliveryAnswer {
  readonly status: number | null;
  readonly location?: string | null;
}

export type Deliver = (request: OutgoingRequest) => Promise<DeliveryAnswer>;
