/**
 * Flights that are in many schedules, looked up in turn on a target whose config names none. None is likelier than the others;
 * the reference serves the first one.
 */
export const familiarFlights = ['AA100', 'EK3', 'QR7', 'BA117', 'SQ322', 'LH400'] as const;
