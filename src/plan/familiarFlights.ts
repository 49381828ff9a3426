/**
 * Flights that many schedules hold, looked up in turn on a target whose config names none. None is likelier than the
 * others; the first is one that the reference serves.
 */
export const familiarFlights = ['AA100', 'EK3', 'QR7', 'BA117', 'SQ322', 'LH400'] as const;
