/** Flights that many schedules hold, looked up in turn on a target whose config names none. */
export const familiarFlights = ['EK3', 'QR7', 'BA117', 'SQ322', 'LH400', 'AA100'] as const;
