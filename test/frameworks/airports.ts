const table = `
AE Asia/Dubai DXB AUH SHJ
SA Asia/Riyadh RUH JED DMM MED
QA Asia/Qatar DOH
IN Asia/Kolkata DEL BOM BLR MAA HYD CCU COK AMD GOI
GB Europe/London LHR LGW MAN EDI STN LTN BHX GLA
IE Europe/Dublin DUB
FR Europe/Paris CDG ORY NCE LYS MRS TLS
DE Europe/Berlin FRA MUC BER HAM DUS STR CGN
ES Europe/Madrid MAD BCN PMI AGP VLC
IT Europe/Rome FCO MXP VCE NAP
NL Europe/Amsterdam AMS
CH Europe/Zurich ZRH GVA
AT Europe/Vienna VIE
PT Europe/Lisbon LIS OPO
TR Europe/Istanbul IST SAW
GR Europe/Athens ATH
SE Europe/Stockholm ARN GOT
NO Europe/Oslo OSL BGO TRD BOO
DK Europe/Copenhagen CPH
FI Europe/Helsinki HEL
PL Europe/Warsaw WAW
EG Africa/Cairo CAI
ZA Africa/Johannesburg JNB CPT
KE Africa/Nairobi NBO
MA Africa/Casablanca CMN
NG Africa/Lagos LOS
US America/New_York JFK EWR LGA BOS MIA ATL IAD DCA PHL MCO
US America/Chicago ORD DFW IAH MSP
US America/Denver DEN
US America/Phoenix PHX
US America/Los_Angeles LAX SFO SEA SAN LAS
US Pacific/Honolulu HNL
US America/Anchorage ANC
CA America/Toronto YYZ YUL
CA America/Vancouver YVR
CA America/St_Johns YYT
MX America/Mexico_City MEX
BR America/Sao_Paulo GRU GIG
AR America/Argentina/Buenos_Aires EZE
CL America/Santiago SCL
JP Asia/Tokyo NRT HND KIX ITM CTS FUK
KR Asia/Seoul ICN GMP PUS
CN Asia/Shanghai PVG PEK CAN SHA
HK Asia/Hong_Kong HKG
SG Asia/Singapore SIN
TH Asia/Bangkok BKK DMK HKT
MY Asia/Kuala_Lumpur KUL
NP Asia/Kathmandu KTM
PK Asia/Karachi KHI ISB LHE
LK Asia/Colombo CMB
AU Australia/Sydney SYD MEL CBR
AU Australia/Brisbane BNE
AU Australia/Adelaide ADL
AU Australia/Perth PER
AU Australia/Lord_Howe LDH
NZ Pacific/Auckland AKL CHC WLG
NZ Pacific/Chatham CHT
FJ Pacific/Fiji NAN
TO Pacific/Tongatapu TBU
KI Pacific/Kiritimati CXI`;

const some = {
  few: 'DXB AUH RUH JED DOH DEL BOM LHR CDG FRA JFK SIN',
  regional: 'OSL BGO TRD BOO ARN GOT',
};

export interface Airport {
  country: string;
  zone: string;
}

function rows(): [string, Airport][] {
  return table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [country = '', zone = '', ...codes] = line.split(' ');
      return codes.map((code): [string, Airport] => [code, { country, zone }]);
    });
}

const many = new Map(rows());
const only = (codes: string) => new Map([...many].filter(([code]) => codes.includes(code)));
const known = { many, few: only(some.few), regional: only(some.regional) };

export const airportsOf = (which: keyof typeof known): ReadonlyMap<string, Airport> => known[which];
