import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateXML } from 'xmllint-wasm';

const schema = readFileSync(join(import.meta.dirname, '../schemas/jenkins-junit.xsd'), 'utf8');

/** What libxml2 has against a text as JUnit XML of Jenkins; empty where it is valid. */
export async function jenkinsFaults(xml: string): Promise<readonly string[]> {
  const { errors } = await validateXML({ xml: [{ fileName: 'junit.xml', contents: xml }], schema: [schema] });
  return errors.map(({ message }) => message);
}
