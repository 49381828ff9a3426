import { baseUrl } from '../addressForms.ts';
import { pemFile, pemKeyFile } from '../certificates.ts';
import { duration, whole } from '../forms.ts';
import { extraHeaders } from '../headers.ts';
import { group, row, type ValuePlace } from '../row.ts';
import { plainOrVariable, proxyUrl } from '../secretForms.ts';

const proxy = (place: ValuePlace) =>
  plainOrVariable(baseUrl, proxyUrl, place).transform(({ value }) => value);

/** How requests are sent. */
export const httpRows = {
  http: group('how requests are sent', {
    connectTimeoutMs: row({
      form: duration,
      default: 10_000,
      file: 'connectTimeout',
      help: 'longest time to connect',
      usual: '10s',
      example: '10s',
    }),
    responseTimeoutMs: row({
      form: duration,
      default: 30_000,
      file: 'responseTimeout',
      help: 'longest time from sending to the last byte of the response',
      usual: '30s',
      example: '30s',
    }),
    maxBodyBytes: row({
      form: whole(1),
      default: 2 * 1024 * 1024,
      help: 'bytes of a response body that are read; a longer one is cut off and its connection closed',
      example: 4_194_304,
    }),
    proxy: row({
      form: proxy,
      default: null,
      help: 'proxy to send through; env:NAME if it contains credentials',
      example: 'http://proxy.example.com:3128',
    }),
    extraCa: row({
      form: pemFile,
      default: null,
      help: 'extra certificate authorities, a PEM file',
      example: 'certs/ca.pem',
    }),
    clientCert: row({
      form: pemFile,
      default: null,
      help: 'certificate that a server may ask for, a PEM file',
      example: 'certs/client.pem',
    }),
    clientKey: row({
      form: pemKeyFile,
      default: null,
      help: 'private key of that certificate, a PEM file',
      example: 'certs/client.key',
    }),
    headers: row({
      form: extraHeaders,
      default: {},
      help: 'extra headers of every request; env:NAME for a secret',
      example: { 'X-Environment': 'qa' },
    }),
  }),
};
