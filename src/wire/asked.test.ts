import { expect, test } from 'vitest';
import type { WireRequest } from '../send/transport.ts';
import { readRequest, withBody, withQuery } from './asked.ts';

const base: WireRequest = {
  baseUrl: 'https://api.example.com',
  method: 'POST',
  target: '/extPartner/api/webcheckin/update',
  headers: [
    ['x-API-key', 'k1'],
    ['content-type', 'application/json'],
  ],
  body: Buffer.from('{"checkin_id":"c1","passengers":[{"first_name":"A"}]}'),
};

const scan = [0, 13, 10, 255];
const multipart: WireRequest = {
  ...base,
  headers: [['Content-Type', 'multipart/form-data; boundary="b 1"']],
  body: Buffer.concat([
    Buffer.from('--b 1\r\nContent-Disposition: form-data; name="checkin_id"\r\n\r\nc1\r\n'),
    Buffer.from('--b 1\r\nContent-Disposition: form-data; name="passengers"\r\n\r\n[{"x": 1}]\r\n'),
    Buffer.from('--b 1\r\nContent-Disposition: form-data; name="scan"; filename="a.png"\r\n\r\n'),
    Buffer.from([...scan, 13, 10]),
    Buffer.from('--b 1--\r\n'),
  ]),
};

test('a JSON request is read by operation, key and body', () => {
  expect(readRequest(base)).toEqual({
    operation: 'wci.update',
    key: 'k1',
    query: {},
    body: { checkin_id: 'c1', passengers: [{ first_name: 'A' }] },
  });
});

test('a multipart request is read part by part, files by their name', () => {
  expect(readRequest(multipart)).toMatchObject({
    key: null,
    body: { checkin_id: 'c1', passengers: [{ x: 1 }], scan: 'file scan' },
  });
});

test('parts are edited, and files stay whole', () => {
  const body = { checkin_id: 'c2', passengers: [{ x: 2 }], scan: 'file scan' };
  const edited = withBody(multipart, body);
  expect(readRequest(edited).body).toEqual(body);
  expect(Buffer.from(edited.body ?? []).includes(Buffer.from(scan))).toBe(true);
});

test('the first value of a repeated parameter is read, and a query is written anew', () => {
  const read = {
    ...base,
    method: 'GET',
    body: null,
    target: '/extPartner/api/webcheckin/status?a=1%202&a=3',
  };
  expect(readRequest(read)).toMatchObject({ operation: 'wci.status', query: { a: '1 2' } });
  expect(withQuery(read, { checkinId: 'a/b' }).target).toBe(
    '/extPartner/api/webcheckin/status?checkinId=a%2Fb',
  );
});

test('a path that is no operation is none, and neither is a body that cannot be read', () => {
  const odd = { ...base, target: '/elsewhere', body: Buffer.from('{') };
  expect(readRequest(odd)).toMatchObject({ operation: null, body: undefined });
});
