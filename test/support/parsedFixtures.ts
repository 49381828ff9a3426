/** Parses the fixtures once for all of the several hundred processes that the tests start; a quarter of a second each. */
export default async function parsedFixtures(): Promise<void> {
  await import('../../src/catalogue/writeParsed.ts');
}
