const leg = 'airline flight_number origin destination departure_datetime arrival_datetime';
const person =
  'first_name last_name email country_code phone date_of_birth nationality country_of_residence passport documents seat_preference';
const papers =
  'number date_of_issue expiry_date place_of_issue document_url file_field type document_number issuing_country';
const seat = 'row_preference column_preference';
const callback = 'callbackUrl auth_header clientId clientName fid';
const identifiers = 'checkin_id checkinId webcheckin_id booking_id';
const rest =
  'key type query body pnr flights passengers callbackData payload operation page limit status flightNumber departureDate departureAirportIata arrivalAirportIata';

const names: ReadonlySet<string> = new Set(
  [leg, person, papers, seat, callback, identifiers, rest].join(' ').split(' '),
);

/** Whether a path leads to an input that the documents name. What an uploaded file holds is shown nowhere. */
export function isDocumentedInput(path: string): boolean {
  const steps = path.replaceAll('[]', '').split('.');
  return steps.every((step) => names.has(step));
}
