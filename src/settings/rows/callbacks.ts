import { baseUrl, hostPort, url } from '../addressForms.ts';
import { duration, path } from '../forms.ts';
import { group, row } from '../row.ts';
import { secretHeader } from '../secretForms.ts';

/** The state handler of the deployment, and the sink that takes its callbacks. */
export const callbackRows = {
  stateHandler: group("the deployment's state handler", {
    url: row({
      form: url,
      default: null,
      flag: '--state-handler <url>',
      variable: 'GATECHECK_STATE_HANDLER',
      refusesEmpty: true,
      help: "the deployment's state handler",
      example: 'https://qa.example.com/_state',
    }),
    auth: row({
      form: secretHeader,
      default: null,
      variable: 'GATECHECK_STATE_HANDLER_AUTH',
      secret: true,
      help: 'a header for it, in the form Name: value',
      example: 'env:GATECHECK_QA_STATE_AUTH',
    }),
  }),
  sink: group('the callback sink', {
    listen: row({
      form: hostPort,
      default: { host: '127.0.0.1', port: 0 },
      flag: '--sink-listen <host:port>',
      variable: 'GATECHECK_SINK_LISTEN',
      refusesEmpty: true,
      help: 'where the callback sink listens, port 0 for a free one',
      usual: '127.0.0.1:0',
      example: '0.0.0.0:9000',
    }),
    publicUrl: row({
      form: baseUrl,
      default: null,
      flag: '--sink-public-url <url>',
      variable: 'GATECHECK_SINK_PUBLIC_URL',
      refusesEmpty: true,
      help: 'the address at which the target reaches the sink',
      example: 'https://sink.example.com',
    }),
    certFile: row({
      form: path,
      default: null,
      flag: '--sink-cert <file>',
      file: 'cert',
      help: 'certificate of the sink, PEM',
      example: 'certs/sink.pem',
    }),
    keyFile: row({
      form: path,
      default: null,
      flag: '--sink-key <file>',
      file: 'key',
      help: 'private key of that certificate, PEM',
      example: 'certs/sink.key',
    }),
  }),
  watchMs: row({
    form: duration,
    default: null,
    flag: '--watch <time>',
    file: false,
    help: 'follow real subscriptions for this time, such as 30m, and judge the callbacks that come',
    example: '30m',
  }),
};
