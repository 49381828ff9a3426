import {
  type CheckContext,
  type Exchange,
  fixed,
  generate,
  lookup,
  property,
  responseOf,
  routesOf,
  sameLegs,
  shownLegs,
  suite,
} from '../checks.ts';
import {
  type LegToPut,
  anyFlight,
  legOn,
  lookAgainIfOther,
  lookUp,
  put,
  subscribeTo,
} from '../support/flights.ts';

/** Spellings that differ from the clean form in one way each. */
const spellings: readonly {
  readonly name: string;
  readonly rule: string;
  readonly spell: (clean: string) => string;
  readonly needsTwoLetters?: true;
}[] = [
  { name: 'lower case', rule: 'FLA-GET-011', spell: (clean) => clean.toLowerCase() },
  {
    name: 'mixed case',
    rule: 'FLA-GET-011',
    spell: (clean) => clean.slice(0, 1).toLowerCase() + clean.slice(1),
  },
  { name: 'a hyphen', rule: 'FLA-GET-012', spell: (clean) => split(clean, '-') },
  { name: 'a space', rule: 'FLA-GET-012', spell: (clean) => split(clean, ' ') },
  { name: 'spaces everywhere', rule: 'FLA-GET-012', spell: spaced },
  { name: 'a leading zero', rule: 'FLA-GET-013', spell: (clean) => split(clean, '0'), needsTwoLetters: true },
  {
    name: 'more zeros than digits are allowed',
    rule: 'FLA-GET-015',
    spell: (clean) => split(clean, '00000'),
    needsTwoLetters: true,
  },
  {
    name: 'a space after a leading zero',
    rule: 'FLA-GET-014',
    spell: (clean) => `-${split(clean, ' 0 0-').toLowerCase()}`,
    needsTwoLetters: true,
  },
];

export default suite('Flight numbers', [
  fixed({
    id: 'fla.number.spelling',
    title: 'case, spaces, hyphens and leading zeros of a flight number do not matter',
    verifies: ['FLA-GET-011', 'FLA-GET-012', 'FLA-GET-013', 'FLA-GET-014', 'FLA-GET-015', 'FLA-OPN-032'],
    uses: ['known-flight'],
    tags: ['smoke'],
    run: async (t) => {
      const { flightNumber, departureDate } = await t.fixtures.knownLeg();
      await t.each(spellings, async ({ spell, needsTwoLetters = false }) => {
        t.assume(
          !needsTwoLetters || hasTwoLetters(flightNumber),
          `${flightNumber} has no two-letter airline code, the only one after which zeros do not matter`,
        );
        const spelled = await t.send(lookup({ flightNumber: spell(flightNumber), departureDate }));
        observeForm(t, spelled, { sent: spell(flightNumber), clean: flightNumber });
        await lookAgainIfOther(t, spelled, await t.fixtures.knownLeg());
      });
    },
  }),

  property({
    id: 'fla.number.any-spelling',
    title: 'every spelling of one flight number finds the same legs',
    verifies: ['FLA-GET-011', 'FLA-GET-012', 'FLA-GET-013', 'FLA-GET-014', 'FLA-GET-015'],
    uses: ['known-flight'],
    maxCases: 60,
    run: async (t) => {
      const { flightNumber, departureDate } = await t.fixtures.knownLeg();
      await t.forAll(
        'another spelling of the flight number',
        generate.flightNumberSpelling(flightNumber).filter((spelling) => spelling !== flightNumber),
        async (spelling) => {
          const spelled = await t.send(lookup({ flightNumber: spelling, departureDate }));
          await lookAgainIfOther(t, spelled, await t.fixtures.knownLeg());
        },
      );
    },
  }),

  fixed({
    id: 'fla.number.other-codes',
    title:
      'case and hyphens do not matter with codes that have a digit or three characters either, nor zeros of a short number',
    verifies: ['FLA-GET-011', 'FLA-GET-012', 'FLA-GET-013'],
    needs: ['state:flights.put'],
    run: async (t) => {
      const tail = `9${t.identities.flightNumber().slice(4)}`;
      for (const code of ['Z7', '7Z', 'ZQX', 'Z7X']) {
        // Without a code of the airline, which is derived from the number.
        const leg: LegToPut = { route: ['DOH', 'SIN'], changes: { airline: { name: 'Gatecheck Air' } } };
        const flight = await put(t, [leg], { flightNumber: `${code}${tail}` });
        for (const spelling of [code + tail, `${code}${tail}`.toLowerCase(), `${code}-${tail}`])
          await lookUp(t, { ...flight, flightNumber: spelling });
      }
      // With room for a zero among its digits.
      const short = t.identities.flightNumber().slice(0, 5);
      const flight = await put(t, [{ route: ['DOH', 'SIN'] }], { flightNumber: short });
      for (const flightNumber of [short, split(short, '0')]) await lookUp(t, { ...flight, flightNumber });
    },
  }),

  fixed({
    id: 'fla.number.other-codes-subscribed',
    title: 'a subscribe takes codes that have a digit or three characters, as a lookup does',
    verifies: ['FLA-SUB-017'],
    needs: ['state:flights.put', 'writes', 'subscriptions'],
    run: async (t) => {
      const tail = `8${t.identities.flightNumber().slice(4)}`;
      const route = ['DOH', 'SIN'] as const;
      await t.each(['Z7', '7Z', 'ZQX', 'Z7X'], async (code) => {
        const flight = await put(t, [{ route }], { flightNumber: `${code}${tail}` });
        await lookUp(t, flight);
        await subscribeTo(t, legOn(flight, route));
      });
    },
  }),

  fixed({
    id: 'fla.number.plus',
    title: 'whether a + in the query is read as a space, as forms write it',
    verifies: ['FLA-OPN-031'],
    uses: ['known-flight'],
    run: async (t) => {
      const { flightNumber, departureDate, seen } = await t.fixtures.knownLeg();
      const request = lookup({ flightNumber: spaced(flightNumber), departureDate });
      const sought = await t.send({ ...request, query: request.query.replaceAll('%20', '+') });
      if (sameLegs(sought, seen).status === 'holds') t.observe('FLA-OPN-031', 'space', sought);
      else if (kindOf(sought) !== null) t.observe('FLA-OPN-031', 'plus', sought);
    },
  }),

  fixed({
    id: 'fla.number.doubtful',
    title: 'flight numbers of zeros only or of digits only are refused or unknown',
    verifies: ['FLA-OPN-026'],
    run: async (t) => {
      const { departureDate } = await anyFlight(t);
      const zeros = await t.send(lookup({ flightNumber: 'QR000', departureDate }));
      const digits = await t.send(lookup({ flightNumber: '1234', departureDate }));
      const kinds = [zeros, digits].map(kindOf);
      const [first, second] = kinds;
      t.assume(first !== null && second !== null, 'upstream did not say whether it knows the flight');
      t.observe('FLA-OPN-026', first === second ? (first ?? 'by-kind') : 'by-kind', zeros);
    },
  }),

  fixed({
    id: 'fla.number.zeros-after-other-codes',
    title: 'leading zeros after codes with a digit or of three letters are removed or belong to the number',
    verifies: ['FLA-OPN-004'],
    needs: ['state:flights.put'],
    run: async (t) => {
      const tail = t.identities.flightNumber().slice(3);
      const finds = async (code: string) => {
        const { departureDate } = await put(
          t,
          generate.journey.map((route) => ({ route })),
          {
            flightNumber: `${code}${tail}`,
          },
        );
        const sought = await t.send(lookup({ flightNumber: `${code}0${tail}`, departureDate }));
        return responseOf(sought)?.status === 200 && routesOf(sought).length > 0;
      };
      const afterDigit = await finds('Q7');
      const afterThree = await finds('QZX');
      const variant = afterThree
        ? 'three-characters-too'
        : afterDigit
          ? 'any-two-characters'
          : 'two-letters-only';
      t.observe('FLA-OPN-004', variant);
    },
  }),
]);

function kindOf(sought: Exchange): 'refused-400' | 'not-found-404' | null {
  const status = responseOf(sought)?.status;
  return status === 400 ? 'refused-400' : status === 404 ? 'not-found-404' : null;
}

/** With a space around every character. */
function spaced(clean: string): string {
  return ` ${Array.from(clean).join(' ')} `;
}

/** Puts something between airline code and digits. */
function split(clean: string, between: string): string {
  return `${clean.slice(0, 2)}${between}${clean.slice(2)}`;
}

function hasTwoLetters(flightNumber: string): boolean {
  return /^[A-Z]{2}\d/.test(flightNumber);
}

/** How the legs of a flight that was looked up in another spelling show its number. */
function observeForm(
  t: CheckContext,
  spelled: Exchange,
  { sent, clean }: { readonly sent: string; readonly clean: string },
): void {
  const [first] = shownLegs(spelled);
  const shown = first?.leg.flightNumber;
  if (typeof shown !== 'string' || sent === clean) return;
  t.observe('FLA-OPN-032', shown === clean ? 'cleaned' : shown === sent ? 'as-sent' : 'upstream', spelled);
}
