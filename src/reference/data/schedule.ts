/** A leg that is flown every day: local departure time, days after the flight's date, and minutes in the air. */
export interface DailyLeg {
  readonly from: string;
  readonly to: string;
  readonly departs: string;
  readonly minutes: number;
  readonly day?: number;
  readonly stopover?: string;
  /** An alternate route that upstream reports for this leg. */
  readonly alternate?: { readonly from: string; readonly to: string };
}

export interface DailyFlight {
  readonly flightNumber: string;
  /** Operating-carrier flight number of a codeshare. */
  readonly operatedAs?: string;
  readonly legs: readonly DailyLeg[];
}

/** The simulated upstream's timetable, valid every day of the coming year. */
export const dailyFlights: readonly DailyFlight[] = [
  { flightNumber: 'EK1', legs: [{ from: 'DXB', to: 'LHR', departs: '07:45', minutes: 440 }] },
  {
    flightNumber: 'EK412',
    legs: [
      { from: 'DXB', to: 'SYD', departs: '10:15', minutes: 835 },
      { from: 'SYD', to: 'CHC', departs: '08:15', minutes: 190, day: 1 },
      { from: 'DXB', to: 'CHC', departs: '10:15', minutes: 1140, stopover: 'SYD' },
    ],
  },
  { flightNumber: 'EK203', legs: [{ from: 'DXB', to: 'JFK', departs: '08:30', minutes: 835 }] },
  { flightNumber: 'QR1', legs: [{ from: 'DOH', to: 'LHR', departs: '07:35', minutes: 420 }] },
  { flightNumber: 'QR123', legs: [{ from: 'DOH', to: 'MXP', departs: '08:10', minutes: 365 }] },
  {
    flightNumber: 'QR920',
    legs: [
      { from: 'DOH', to: 'AKL', departs: '01:30', minutes: 960 },
      { from: 'AKL', to: 'CHC', departs: '07:50', minutes: 80, day: 2 },
    ],
  },
  {
    flightNumber: 'SQ26',
    legs: [
      { from: 'SIN', to: 'FRA', departs: '23:55', minutes: 775 },
      { from: 'FRA', to: 'JFK', departs: '08:35', minutes: 515, day: 1 },
    ],
  },
  { flightNumber: 'SQ638', legs: [{ from: 'SIN', to: 'NRT', departs: '23:55', minutes: 425 }] },
  { flightNumber: 'NH211', legs: [{ from: 'HND', to: 'LHR', departs: '09:40', minutes: 850 }] },
  { flightNumber: 'JL44', legs: [{ from: 'HND', to: 'CDG', departs: '09:50', minutes: 850 }] },
  {
    flightNumber: 'BA15',
    legs: [
      { from: 'LHR', to: 'SIN', departs: '20:10', minutes: 790 },
      { from: 'SIN', to: 'SYD', departs: '19:15', minutes: 465, day: 1 },
    ],
  },
  {
    flightNumber: 'QF1',
    legs: [
      { from: 'SYD', to: 'SIN', departs: '15:40', minutes: 500 },
      { from: 'SIN', to: 'LHR', departs: '23:30', minutes: 850 },
    ],
  },
  { flightNumber: 'LH400', legs: [{ from: 'FRA', to: 'JFK', departs: '11:00', minutes: 520 }] },
  { flightNumber: 'AA100', legs: [{ from: 'JFK', to: 'LHR', departs: '18:10', minutes: 415 }] },
  {
    flightNumber: 'AA6133',
    operatedAs: 'BA112',
    legs: [{ from: 'JFK', to: 'LHR', departs: '18:30', minutes: 415 }],
  },
  { flightNumber: 'HA11', legs: [{ from: 'LAX', to: 'HNL', departs: '08:00', minutes: 350 }] },
  { flightNumber: 'TK1', legs: [{ from: 'IST', to: 'JFK', departs: '06:45', minutes: 660 }] },
  {
    flightNumber: '6E23',
    legs: [{ from: 'BOM', to: 'DXB', departs: '19:50', minutes: 195, alternate: { from: 'BOM', to: 'AUH' } }],
  },
  { flightNumber: 'G9401', legs: [{ from: 'SHJ', to: 'BOM', departs: '22:35', minutes: 175 }] },
  { flightNumber: 'SV117', legs: [{ from: 'JED', to: 'LHR', departs: '14:20', minutes: 400 }] },
];
