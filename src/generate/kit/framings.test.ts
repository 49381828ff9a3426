import { expect, test } from 'vitest';
import { readMultipart } from '../../reference/shared/multipart.ts';
import { framingOf, partsOf } from '../../trace/parts.ts';
import { framings } from './framings.ts';
import { clientFramings } from './multipartClients.ts';
import { encodeMultipart, filePart, textPart } from './multipart.ts';

const parts = [
  textPart('pnr', 'GCK123'),
  textPart('passengers', JSON.stringify([{ last_name: 'Müller' }])),
  filePart('scan-1', 'scan.png'),
];

test.each([...framings, ...clientFramings])(
  'another parser and ours read the same parts: $name',
  async ({ write }) => {
    const { bytes, contentType } = write(parts, 'salt');
    expect(Buffer.from(bytes).equals(Buffer.from(encodeMultipart(parts, 'salt').bytes))).toBe(false);
    const read = partsOf(bytes, contentType);
    expect(read?.map(({ name, value, isFile }) => [name, value, isFile])).toEqual([
      ['pnr', 'GCK123', false],
      ['passengers', [{ last_name: 'Müller' }], false],
      ['scan-1', undefined, true],
    ]);
    const { texts, files } = await readMultipart({ contentType, bytes: Buffer.from(bytes) });
    expect(texts.map(({ name, text }) => [name, text])).toEqual([
      ['pnr', 'GCK123'],
      ['passengers', '[{"last_name":"Müller"}]'],
    ]);
    expect(files.map(({ name, size }) => [name, size])).toEqual([['scan-1', read?.[2]?.content.length]]);
  },
);

test('each has a trait of its own that the plainest form lacks', () => {
  const traitsOf = ({ bytes, contentType }: ReturnType<typeof encodeMultipart>) =>
    framingOf(bytes, contentType, partsOf(bytes, contentType) ?? []);
  const plain = traitsOf(encodeMultipart(parts, 'salt'));
  // Most clients begin a boundary so.
  expect(plain).toEqual(['boundary-that-begins-with-hyphens']);
  const found = framings.map(({ write }) =>
    traitsOf(write(parts, 'salt'))
      .filter((trait) => !plain.includes(trait))
      .join(),
  );
  expect(found).not.toContain('');
  expect(new Set(found).size).toBe(framings.length - 1);
});
