import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { defects } from '../src/reference/defects.ts';
import { isAbandoned } from '../src/target/container/engine.ts';
import { containerLogFile, reportFiles } from '../src/report/reportDir.ts';
import { variantsOf } from '../src/report/compare/matrix.ts';
import { type RunResult } from '../src/report/result.ts';
import { keysOf, leftovers, removeAll, until } from './support/containers.ts';
import { type Ended, gatecheck } from './support/gatecheck.ts';
import { resultOf } from './support/writtenResult.ts';
import { buildImages, docker, dockerResult, missingEngine } from './support/images.ts';

const seed = 7;
const missing = missingEngine();
if (missing !== null) process.stdout.write(`test/containers.test.ts is skipped: ${missing}\n`);

let reference = '';
let base = '';
let own = '';

/** The reference as an image, with all its keys and its state handler. */
const sandbox = (environment: Record<string, string> = {}, image: object = {}) => ({
  image: {
    reference,
    environment: {
      GATECHECK_SERVE_STATE_HANDLER: 'on',
      GATECHECK_SERVE_SEED: String(seed),
      ...environment,
    },
    stateHandler: {},
    ...image,
  },
});

/** A container that runs a script on the bare base image. */
const script = (code: string, image: object = {}) => ({
  image: { reference: base, command: ['node', '-e', code], ...image },
});

const answering = `require('http').createServer((_, r) => { r.statusCode = 401; r.end('{}'); }).listen(8080);`;

const runArgs = ['run', '--seed', String(seed), '--report-dir', 'out'];
const only = (...patterns: string[]) => patterns.flatMap((pattern) => ['--only', pattern]);

const verdictsOf = (result: RunResult) =>
  Object.fromEntries(result.requirements.map(({ id, verdict }) => [id, verdict]));

/** What was observed of open points, without the times, which depend on what else the machine does. */
const readingsOf = (result: RunResult) =>
  result.openPoints.map(({ id, observed }) => [id, observed === null ? null : variantsOf(observed)]);

const logOf = ({ folder }: Ended) => readFileSync(join(folder, 'out', containerLogFile), 'utf8');

describe.skipIf(missing !== null)('a container image as the target', () => {
  beforeAll(() => {
    const images = buildImages();
    ({ reference, base } = images);
    own = images.gatecheck;
  }, 300_000);

  afterEach(() => {
    const left = leftovers();
    // Of one test's failure, the next ones know nothing.
    if (left.length > 0) removeAll();
    expect(left).toEqual([]);
  });

  test('gets the verdict of the embedded target on every requirement with the same seed', async () => {
    // Wide limits, so that no run waits a minute for them.
    const limits = { perMinute: 600, perHour: 10_000 };
    const alone = await gatecheck(runArgs, { config: { limits } });
    const ended = await gatecheck(runArgs, {
      env: keysOf(seed),
      config: { ...sandbox({ GATECHECK_SERVE_LIMITS: '600/10000' }), limits },
    });
    const embedded = resultOf(alone);
    const image = resultOf(ended);
    expect(image.target.kind).toBe('image');
    expect(image.findings).toEqual(embedded.findings);
    expect(verdictsOf(image)).toEqual(verdictsOf(embedded));
    expect(image.summary.verdict).toBe(embedded.summary.verdict);
    expect(readingsOf(image)).toEqual(readingsOf(embedded));
    expect(ended.code).toBe(0);
    // The server's own words are kept, and no key stands in them.
    expect(logOf(ended)).toMatch(/Z {2}target {2}.*GET {2}\/extPartner/);
    for (const key of keysOf(seed).GATECHECK_KEYS_PRIMARY?.split(',') ?? []) {
      expect(logOf(ended)).not.toContain(key);
    }
  }, 400_000);

  test.each([
    ['update-merges-fields', 'wci.update*'],
    ['webhook-put', 'wci.callback*'],
  ])('fails with the defect %s by the requirements that it breaks', async (id, traffic) => {
    const { kills = [] } = defects.find((defect) => defect.id === id) ?? {};
    const ended = await gatecheck([...runArgs, ...only(...kills, traffic)], {
      env: keysOf(seed),
      config: sandbox({ GATECHECK_SERVE_DEFECT: id }),
    });
    const result = resultOf(ended);
    expect(kills.map((kill) => verdictsOf(result)[kill])).toEqual(kills.map(() => 'fail'));
    if (id.startsWith('webhook')) expect(result.summary.callbacks).toBeGreaterThan(10);
    expect(ended.code).toBe(1);
    // Beside a finding stands what the server logged meanwhile.
    const logged = result.findings.flatMap((finding) => finding.logs ?? []);
    expect(logged.map(({ text }) => text).join('\n')).toMatch(/extPartner\/api/);
    expect(readFileSync(join(ended.folder, 'out', reportFiles.html), 'utf8')).toContain('Container log');
  });

  test('gets its environment, files and what it depends on, by name', async () => {
    const said = `fetch('http://helper:9000/').then((r) => r.text()).then((text) => {
      console.log(text, require('fs').readFileSync('/etc/app.txt', 'utf8'), process.env.GREETING, process.env.SECRET);
      ${answering}
    });`;
    const helper = `require('http').createServer((_, r) => r.end('helped')).listen(9000, () => console.log('up'));`;
    const file = join(tmpdir(), `gatecheck-app-${process.pid}.txt`);
    writeFileSync(file, 'file');
    const ended = await gatecheck(runArgs, {
      env: { ...keysOf(seed), OTHER_SECRET: 'very-s3cret' },
      config: script(said, {
        environment: { GREETING: 'hello', SECRET: 'env:OTHER_SECRET' },
        files: [{ source: file, target: '/etc/app.txt' }],
        waitFor: { http: '/any', status: 401 },
        dependencies: [
          { name: 'helper', reference: base, command: ['node', '-e', helper], waitFor: { log: 'up' } },
        ],
      }),
    });
    expect(logOf(ended)).toMatch(
      /helper {2}up\n.*target {2}helped file hello ‹environment of the container›\n/,
    );
    expect(resultOf(ended).run.end).toBe('key-refused');
  });

  test.each<[what: string, config: () => object, said: RegExp]>([
    [
      'that ends at once',
      () => script(`console.log('no database'); process.exit(4)`),
      /to get ready; it ended with exit code 4\. It logged last:\n {2}\| no database/,
    ],
    [
      'that ends while it is waited for',
      () => script(`console.log('hm'); setTimeout(() => process.exit(5), 1500)`),
      /it ended with exit code 5\. It logged last:\n {2}\| hm/,
    ],
    [
      'that never answers',
      () => script(`console.log('busy'); setInterval(() => {}, 1000)`, { startupTimeout: '2s' }),
      /to answer GET \/ on its port 8080 with any status within 2 s; it did not\. It logged last:\n {2}\| busy/,
    ],
    [
      'that never logs the line',
      () => script(answering, { startupTimeout: '2s', waitFor: { log: 'ready' } }),
      /to log "ready" within 2 s; it did not\. It logged nothing/,
    ],
    [
      'that nobody has',
      () => ({ image: 'registry.invalid/nobody/nothing:1' }),
      /to pull the image registry\.invalid\/nobody\/nothing:1: /,
    ],
    [
      'whose command is not there',
      () => ({ image: { reference: base, command: ['nonsense'] } }),
      /the engine to start a container of gatecheck-test-base: .*nonsense/,
    ],
  ])('%s is told with exit code 3', async (_what, config, said) => {
    const ended = await gatecheck(runArgs, { env: keysOf(seed), config: config() });
    expect(ended.stderr).toMatch(said);
    expect(ended.stderr).not.toMatch(/\n {4}at /);
    expect(ended.code).toBe(3);
  });

  test('a container that dies in the middle of the run is told with its last words', async () => {
    const dying = `let count = 0; require('http').createServer((_, r) => {
      r.setHeader('content-type', 'application/json');
      r.end('{"success":true,"data":[],"pagination":{"page":0,"limit":1,"total":0}}');
      if (++count === 5) { console.log('out of luck'); process.exit(9); }
    }).listen(8080)`;
    const ended = await gatecheck(runArgs, { env: keysOf(seed), config: script(dying) });
    expect(ended.stderr).toMatch(/ended with exit code 9\. It logged last:.*out of luck/);
    expect(resultOf(ended).run.end).toBe('target-lost');
    expect([1, 3]).toContain(ended.code);
  });

  test('without an engine the run says so', () => {
    const env = Object.entries(keysOf(seed)).filter(([name]) => name.startsWith('GATECHECK_KEY'));
    const keys = env.flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    // Within the image there is none.
    const { status, stderr } = dockerResult(['run', '--rm', ...keys, own, 'run', '--image', reference]);
    expect(stderr).toMatch(
      /^error: Expected a container engine to start the image with; none answered at .* DOCKER_HOST/,
    );
    expect(status).toBe(3);
  });

  test.each<[signal: NodeJS.Signals, when: string, code: number | null]>([
    ['SIGINT', 'the container starts', 130],
    ['SIGTERM', 'the run goes on', 130],
    ['SIGKILL', 'the run goes on', null],
  ])('%s while %s leaves nothing behind', async (signal, when, code) => {
    let killed = false;
    const ended = await gatecheck([...runArgs, ...only('wci.*')], {
      env: keysOf(seed),
      config: sandbox({}, when === 'the container starts' ? { waitFor: { log: 'never' } } : {}),
      meanwhile: (child) => {
        const isTime = when === 'the container starts' ? () => leftovers().length > 1 : isUnderWay;
        void until(isTime, 90_000).then(() => {
          killed = true;
          child.kill(signal);
        });
      },
    });
    expect(killed).toBe(true);
    expect(ended.code).toBe(code);
    await until(() => leftovers().length === 0, 15_000);
  });

  test('what a run has left that could not clean up is swept by the next one', async () => {
    const labels = {
      'gatecheck.run': 'dead',
      'gatecheck.host': hostname(),
      'gatecheck.process': '4194305:1',
      'gatecheck.started-at': '0',
    };
    expect(isAbandoned(labels, Date.now())).toBe(true);
    const given = Object.entries(labels).flatMap(([name, value]) => ['--label', `${name}=${value}`]);
    docker(['network', 'create', ...given, 'gatecheck-dead']);
    docker([
      'run',
      '--detach',
      ...given,
      '--network',
      'gatecheck-dead',
      base,
      'node',
      '-e',
      'setInterval(() => {}, 1000)',
    ]);
    const ended = await gatecheck([...runArgs, ...only('WCI-STS-001')], {
      env: keysOf(seed),
      config: sandbox(),
    });
    expect(ended.stderr).toContain('Removed 2 containers and networks that earlier runs had left');
    expect(ended.code).toBe(0);
  });

  test('the image of Gatecheck judges a deployment without Node on the machine', () => {
    const network = `gatecheck-test-${process.pid}`;
    docker(['network', 'create', network]);
    try {
      docker([
        'run',
        '--detach',
        '--rm',
        '--name',
        network,
        '--network',
        network,
        '--network-alias',
        'server',
        '--env',
        `GATECHECK_SERVE_SEED=${seed}`,
        reference,
      ]);
      const env = Object.entries(keysOf(seed)).filter(([name]) => name.startsWith('GATECHECK_KEY'));
      const keys = env.flatMap(([name, value]) => ['--env', `${name}=${value}`]);
      const args = [
        'run',
        '--target',
        'http://server:8080',
        '--yes',
        '--profile',
        'smoke',
        '--only',
        'WCI-STS-*',
      ];
      const folder = mkdtempSync(join(tmpdir(), 'gatecheck-reports-'));
      // As the documents have it, for the user who runs it, whom the image does not know.
      chmodSync(folder, 0o777);
      const ofUser = ['--user', '4321:4321', '--volume', `${folder}:/reports`];
      const printed = docker(['run', '--rm', '--network', network, ...ofUser, ...keys, own, ...args]);
      expect(printed).toMatch(
        /PARTIAL \(\d+ of \d+ requirements selected\), gate met {2}http:\/\/server:8080/,
      );
      expect(existsSync(join(folder, 'reports/latest', reportFiles.html))).toBe(true);
      expect(docker(['inspect', '--format', '{{.Config.User}}', reference]).trim()).toBe('1000:1000');
    } finally {
      docker(['rm', '--force', network]);
      docker(['network', 'rm', network]);
    }
  });
});

/** Whether a run sends by now: the server logs its requests. */
function isUnderWay(): boolean {
  const [id = ''] = docker(['ps', '--quiet', '--filter', 'label=gatecheck.run']).split('\n');
  return id !== '' && dockerResult(['logs', id]).stderr.split('\n').length > 50;
}
