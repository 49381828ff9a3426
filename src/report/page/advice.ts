/** Why a rule matters to a partner, and where on the server to look first. */
interface Advice {
  readonly why: string;
  readonly look: string;
}

const advice: Readonly<Record<string, Advice>> = {
  'SHR-AUT': {
    why: 'Anyone who gets in with a missing, unknown or revoked key can read and change what belongs to an enterprise.',
    look: 'The authentication before every handler: whether this route goes through it, at which point, and what it compares.',
  },
  'SHR-ERR': {
    why: 'Partners decide by status and error code whether to retry, to correct a request, or to give up.',
    look: 'Where errors become answers: the error handler, and routes that answer by themselves instead of using it.',
  },
  'SHR-LIM': {
    why: 'Partners pace themselves by these limits: a stricter limiter refuses partners that it should serve, a laxer one lets one partner slow down all others.',
    look: 'The rate limiter: by what it counts (key, window, operation), what it does with refused requests, and how it computes retryAfter.',
  },
  'WCI-CBR': {
    why: 'A registration that is not checked as documented refuses valid requests of partners, or accepts an address to which nothing can be delivered.',
    look: 'The validation of callbackData in subscribe.',
  },
  'WCI-CB': {
    why: 'Partners learn of a status change only from the webhook: if it is missing, altered or unauthenticated, the change is lost or refused on their side.',
    look: 'What composes and sends the webhook: which state changes cause it, its body, its headers, and how a delivery is repeated.',
  },
  'WCI-DT': {
    why: 'A clock that is shifted or misread sends a check-in at the wrong hour.',
    look: 'The parsing of flight clocks: they are wall-clock times of the airport, and a suffix is dropped, never converted.',
  },
  'WCI-JRN': {
    why: 'A journey that automation cannot check in must be refused before a unit is spent on it; one that it can check in must not be refused.',
    look: 'The journey rules of subscribe, which are applied after validation and quota: lead time, connections, airline and route.',
  },
  'WCI-LST': {
    why: 'Partners page through the list to find what changed: a check-in that is left out or repeated is one that no partner follows.',
    look: 'The query behind the list: the clamping of page and limit, the filter, the total, and the order that pages are cut from.',
  },
  'WCI-MP': {
    why: 'Uploads carry the documents without which an international check-in cannot start.',
    look: 'The multipart branch of the handler, which often has its own validation.',
  },
  'WCI-QTA': {
    why: 'Units cost money.',
    look: 'Where a unit is consumed: once per accepted subscribe, in the same transaction, and not for repeats or refusals.',
  },
  'WCI-RDY': {
    why: 'Readiness tells a partner whether anything is missing before automation starts.',
    look: 'What computes sub_status and missing_info: which fields it asks for, of which passengers, and on which journeys.',
  },
  'WCI-SCP': {
    why: "One enterprise must not see, change or even learn of another one's records.",
    look: 'The lookup by checkin_id or booking_id: the enterprise of the key belongs in the query, so that a foreign record is not found.',
  },
  'WCI-STS': {
    why: 'Partners poll the status to learn what to do next.',
    look: 'What turns the stored attempt into an answer.',
  },
  'WCI-SUB': {
    why: 'Everything else builds on the answer to subscribe: its ids, its status, and what is missing.',
    look: 'The subscribe handler: the schema of the body, the search for an attempt of the same booking, and what turns it into an answer.',
  },
  'WCI-UPD': {
    why: 'An update is the only way to correct a booking: what is kept, lost or mixed is what the airline gets.',
    look: 'The update handler: how it finds the record, which members it reads, and that the list of passengers replaces the whole stored one.',
  },
  'FLA-CBR': {
    why: 'A callback address that is not checked as documented refuses valid requests of partners, or lets the service call addresses that it must not call.',
    look: 'The validation of callbackData in the flight subscribe: the address, the fid, and members that must not be supplied.',
  },
  'FLA-CB': {
    why: 'Partners merge each notification into what they have: a wrong fid, key or value changes the wrong flight, or is discarded.',
    look: 'What composes and sends the notification: which fields changed, that their values are passed on unchanged, the fid as registered, and the credential of this registration.',
  },
  'FLA-GET': {
    why: 'Partners use a lookup to find the leg to subscribe to.',
    look: 'The lookup handler: the cleaning of flightNumber, the check of departureDate, and the form of the answer.',
  },
  'FLA-SNP': {
    why: 'Snapshots are passed on as they are: a value that is converted, renamed or made up shows travellers the wrong thing.',
    look: 'The mapping from the upstream record to the leg snapshot.',
  },
  'FLA-SUB': {
    why: 'If a subscription is mixed up or lost, the partner never hears of the changes of that flight.',
    look: 'The subscribe handler of flight alerts: the choice of the leg, what makes two subscribes the same, and the conflicts.',
  },
};

const timestamps =
  'What writes created_at, last_updated and scheduled_time: instants in UTC with three digits of milliseconds and a Z, set when the record is created or changed.';

const written = ['WCI-DT-026', 'WCI-DT-028', 'WCI-DT-029', 'WCI-DT-035'];
const successful = ['SHR-ERR-028', 'SHR-ERR-029', 'SHR-ERR-034'];

const aliases =
  'Where the names of an identifier are read: the alias leads to the same lookup, by the same enterprise, and to the same answer.';

/** The same advice for several rows. */
function forEach(ids: readonly string[], text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(ids.map((id) => [id, text]));
}

/** Where a server implements a rule, if elsewhere than the others of its area. */
const places: Readonly<Record<string, string>> = {
  'SHR-ERR-002': 'Where an error becomes a body: success is a boolean there, on every route.',
  ...forEach(
    successful,
    'What wraps the answer of the operation: success is a boolean, and true where it was done.',
  ),
  'SHR-ERR-038': 'What writes JSON: the encoding of the writer, which must not begin with a byte order mark.',
  'SHR-LIM-022': 'What the rate limiter itself answers: it often runs before the error handler.',
  'WCI-DT-021':
    'Where the timezone of an airport is looked up: for the origin of every leg, and what happens if there is none.',
  'WCI-JRN-016':
    'The order of the steps of subscribe: payload, then entitlement and quota, then the journey rules.',
  'WCI-JRN-017':
    'The order of the steps of subscribe: payload, then entitlement and quota, then the journey rules.',
  'WCI-SCP-002':
    'The lookup of an update, by each of its identifiers: the enterprise of the key belongs in every one of these queries.',
  ...forEach(written, timestamps),
  'WCI-DT-028': `${timestamps} Where somebody moved the clock of the deployment, restart it.`,
  'WCI-DT-030':
    'The lead time among the journey rules: the wall clock is in the timezone of its airport, with the offset of that date.',
  'WCI-DT-036':
    'What schedules the automation: instants are counted from the departure, not wall clocks of its airport.',
  'WCI-DT-027':
    'What writes the timestamps of a callback: UTC with three digits of milliseconds and a Z, as toISOString() does.',
  ...forEach(['WCI-STS-002', 'WCI-SCP-013', 'WCI-UPD-002'], aliases),
  'WCI-STS-009': 'What a read writes: neither last_updated nor anything else of the record.',
  'WCI-SUB-013':
    'What computes sub_status and missing_info: which fields it asks for, of which passengers, and on which journeys.',
  'WCI-CB-004':
    'What builds the address of a delivery from the registered URL: path and query must stay unchanged.',
};

/** Why a rule matters, if for another reason than the others of its area. */
const reasons: Readonly<Record<string, string>> = {
  ...forEach(successful, 'Partners read from success whether their request was done.'),
  ...forEach(written, 'Partners use these times to see what is new.'),
  'SHR-ERR-038': 'Many parsers of JSON refuse a byte order mark, and the partner gets nothing of the answer.',
  'WCI-DT-027': 'Partners read and order callbacks by it.',
};

const fallback: Advice = {
  why: 'Partners rely on what the documents say.',
  look: 'The handler of the operation in the decisive request.',
};

/** Advice by the area in the id of a requirement. */
export function adviceForRequirement(requirement: string): Advice {
  const area = advice[requirement.slice(0, requirement.lastIndexOf('-'))] ?? fallback;
  return { why: reasons[requirement] ?? area.why, look: places[requirement] ?? area.look };
}
