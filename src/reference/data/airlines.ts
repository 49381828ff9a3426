interface Airline {
  readonly iata: string;
  readonly icao: string;
  readonly name: string;
}

/** The airlines whose check-in the reference automates, with both spellings of their code. */
const airlines: readonly Airline[] = [
  { iata: 'EK', icao: 'UAE', name: 'Emirates' },
  { iata: 'QR', icao: 'QTR', name: 'Qatar Airways' },
  { iata: 'EY', icao: 'ETD', name: 'Etihad Airways' },
  { iata: 'SQ', icao: 'SIA', name: 'Singapore Airlines' },
  { iata: 'NH', icao: 'ANA', name: 'All Nippon Airways' },
  { iata: 'JL', icao: 'JAL', name: 'Japan Airlines' },
  { iata: 'BA', icao: 'BAW', name: 'British Airways' },
  { iata: 'LH', icao: 'DLH', name: 'Lufthansa' },
  { iata: 'AF', icao: 'AFR', name: 'Air France' },
  { iata: 'KL', icao: 'KLM', name: 'KLM' },
  { iata: 'TK', icao: 'THY', name: 'Turkish Airlines' },
  { iata: 'AA', icao: 'AAL', name: 'American Airlines' },
  { iata: 'DL', icao: 'DAL', name: 'Delta Air Lines' },
  { iata: 'UA', icao: 'UAL', name: 'United Airlines' },
  { iata: 'HA', icao: 'HAL', name: 'Hawaiian Airlines' },
  { iata: 'QF', icao: 'QFA', name: 'Qantas' },
  { iata: 'CX', icao: 'CPA', name: 'Cathay Pacific' },
  { iata: 'SV', icao: 'SVA', name: 'Saudia' },
  { iata: 'AI', icao: 'AIC', name: 'Air India' },
  { iata: '6E', icao: 'IGO', name: 'IndiGo' },
  { iata: 'G9', icao: 'ABY', name: 'Air Arabia' },
  { iata: 'U2', icao: 'EZY', name: 'easyJet' },
];

const byCode = new Map(
  airlines.flatMap((airline) => [airline.iata, airline.icao].map((code) => [code, airline])),
);

/** The airline of a two-character IATA or three-letter ICAO code in upper case; undefined if it is not supported. */
export function findAirline(code: string): Airline | undefined {
  return byCode.get(code);
}
