import busboy from 'busboy';
import { describe, expect, it } from 'vitest';
import { encodeMultipart, fileNames, filePart, jsonPart, textPart } from './multipart.ts';

describe('encodeMultipart', () => {
  it('is read back by another implementation, names and bytes alike', async () => {
    const scan = filePart('passport-scan.1', 'Reisepass Müller.png');
    const parts = [textPart('pnr', 'GTCHK1'), jsonPart('passengers', [{ first_name: 'Zoë' }]), scan];
    const { fields, files } = await readBack(encodeMultipart(parts, 'salt'));
    expect(fields).toEqual({ pnr: 'GTCHK1', passengers: '[{"first_name":"Zoë"}]' });
    expect(files).toEqual([
      { name: 'passport-scan.1', fileName: 'Reisepass Müller.png', type: 'image/png', bytes: scan.content },
    ]);
  });

  it('gives the same boundary for the same salt, another for another, and none that stands in a part', () => {
    const first = encodeMultipart([textPart('a', 'b')], 'one');
    expect(encodeMultipart([textPart('a', 'b')], 'one').boundary).toBe(first.boundary);
    expect(encodeMultipart([textPart('a', 'b')], 'two').boundary).not.toBe(first.boundary);
    expect(encodeMultipart([textPart('a', first.boundary)], 'one').boundary).not.toBe(first.boundary);
  });

  it('keeps every file name on one line of the header', () => {
    for (const name of fileNames) {
      const { bytes } = encodeMultipart([filePart('scan', name)], 'salt');
      const [, disposition = ''] = Buffer.from(bytes).toString('utf8').split('\r\n');
      expect(disposition).toMatch(/filename="[^"]*"$/);
    }
  });
});

interface ReadBack {
  readonly fields: Record<string, string>;
  readonly files: { name: string; fileName: string; type: string; bytes: Buffer }[];
}

function readBack({ bytes, contentType }: ReturnType<typeof encodeMultipart>): Promise<ReadBack> {
  return new Promise((resolve, reject) => {
    const read: ReadBack = { fields: {}, files: [] };
    const parser = busboy({ headers: { 'content-type': contentType }, defParamCharset: 'utf8' });
    parser.on('field', (name, value) => {
      read.fields[name] = value;
    });
    parser.on('file', (name, stream, { filename, mimeType }) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () =>
        read.files.push({ name, fileName: filename ?? '', type: mimeType, bytes: Buffer.concat(chunks) }),
      );
    });
    parser.on('close', () => resolve(read));
    parser.on('error', reject);
    parser.end(bytes);
  });
}
