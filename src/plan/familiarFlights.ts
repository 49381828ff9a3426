/**
 * Flights that many schedules hold, looked up in turn on a target whose config names none. The first is what the
 * documentation of a service of flight data has for its example.
 */
export const familiarFlights = ['AA100', 'EK3', 'QR7', 'BA117', 'SQ322', 'LH400'] as const;
