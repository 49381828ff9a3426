import {
  is,
  type Judgement,
  type Shown,
  type WebhookEvent,
  counted,
  countedIn,
  jsonWords,
  differs,
  fieldsOf,
  holds,
  idleIn,
  isIdle,
  noneDue,
  ordersOf,
  tellsOnlyText,
  textless,
  unclear,
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

/** Every state change was pushed (WCI-CB-021). */
export function pushesEverything({ moves, events, isPartial }: WebhookHistory): Judgement {
  for (const { from, to } of moves) {
    if (events.some((event) => event.changes.status === to.status && isIdle(event, to))) continue;
    const want = is.change(from.status, to.status);
    if (isPartial) return unclear(`the callback of ${jsonWords(to.status)} may have been lost on the way`);
    return differs('silent', 'callback', want, whatCame(events));
  }
  return holds;
}

/** The statuses that were pushed instead say whether callbacks are missing or say something else. */
function whatCame(events: readonly WebhookEvent[]): is.Value {
  if (events.length === 0) return is.absent;
  const statuses = [...new Set(events.map(({ changes }) => jsonWords(changes.status)))];
  return is.counted(`${events.length} of the request, with status ${statuses.slice(0, 5).join(', ')}`, []);
}

/** Nothing was pushed without a change, but for the creation and updates, which may be (WCI-CB-015). */
export function pushesNothingTwice({ events, polled, updates, isPartial }: WebhookHistory): Judgement {
  if (isPartial) return unclear('a callback may have been lost on the way');
  const strays = ordersOf(events).map((ordered) => tellingsOf(idleIn(ordered, polled[0] ?? {}))[1 + updates]);
  const [stray] = strays;
  if (!stray || strays.includes(undefined)) return holds;
  return noneDue('idle', 'where nothing changed', is.telling(stray.changes));
}

/** The first event of each time that something is told: one may be told in several events, of which each reports fields of its own. */
function tellingsOf(events: readonly WebhookEvent[]): readonly WebhookEvent[] {
  let told: ReadonlySet<string> = new Set();
  return events.filter(({ changes }, index) => {
    const fields = fieldsOf(changes);
    const isNext = index === 0 || fields.some((field) => told.has(field));
    told = new Set(isNext ? fields : [...told, ...fields]);
    return isNext;
  });
}
