import {
  is,
  type Judgement,
  type Shown,
  type WebhookEvent,
  counted,
  countedIn,
  differs,
  fieldsOf,
  holds,
  isIdle,
  tellsOnlyText,
  textless,
} from '../checks.ts';

/** What was done to a record and polled, and what was pushed. */
export interface WebhookHistory {
  readonly checkinId: string;
  /** All that polling showed, in order; the subscribe's answer first. */
  readonly polled: readonly Shown[];
  /** Changes of status that automation made, each of which has to be pushed. */
  readonly moves: readonly { readonly from: Shown; readonly to: Shown }[];
  /** Updates that were accepted, each of which may be pushed. */
  readonly updates: number;
  /** Events that name the record, each once, wherever they came. */
  readonly events: readonly WebhookEvent[];
  /** Deliveries came that could not be read, or more may still come. */
  readonly isPartial: boolean;
}

/** The same without the text for people, whose words may differ wherever it is shown. */
export function historyWithoutText(history: WebhookHistory): WebhookHistory {
  const plain = (shown: Shown): Shown => ({ ...shown, checkin_message: null });
  return {
    ...history,
    polled: history.polled.map(plain),
    moves: history.moves.map(({ from, to }) => ({ from: plain(from), to: plain(to) })),
    events: history.events.filter((event) => !tellsOnlyText(event)).map(textless),
  };
}

/** The same with as many passes, whatever their URLs. */
export function historyWithoutPassUrls(history: WebhookHistory): WebhookHistory {
  return {
    ...history,
    polled: history.polled.map(counted),
    moves: history.moves.map(({ from, to }) => ({ from: counted(from), to: counted(to) })),
    events: history.events.map(countedIn),
  };
}

/** Whatever was pushed had been polled or is polled then (WCI-CB-020). */
export function pushesNothingElse({ events, polled }: WebhookHistory): Judgement {
  for (const event of events) {
    // The form of an event is judged elsewhere.
    if (fieldsOf(event.changes).length === 0 || polled.some((shown) => isIdle(event, shown))) continue;
    return differs('never-polled', 'changes', is.whose('a status that was polled'), is.value(event.changes));
  }
  return holds;
}
