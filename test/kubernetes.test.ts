import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { Secret } from 'kubernetes-models/v1/Secret';
import { Service } from 'kubernetes-models/v1/Service';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { processIo } from '../src/cli/processIo.ts';
import { checkCommandLine } from '../src/cli/program.ts';

// The example of a load on Kubernetes: valid by the schemas of Kubernetes, with no member that they don't know, and command lines that Gatecheck understands.

const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, 'examples/kubernetes/load.yaml'), 'utf8');

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: {
    readonly parallelism?: number;
    readonly template?: {
      readonly spec: {
        readonly containers: readonly { readonly image: string; readonly args: readonly string[] }[];
      };
    };
  };
}

const manifests = parseAllDocuments(text).map((document) => document.toJS() as Manifest);
const models = { Deployment, Job, NetworkPolicy, Secret, Service };

/** What the schemas of Kubernetes say of a manifest; null where it is valid. */
function faultOf(manifest: Manifest): string | null {
  const model = models[manifest.kind as keyof typeof models];
  try {
    // Whether it is one is what is asked.
    new model(manifest as never).validate();
    return null;
  } catch (error) {
    return String(error);
  }
}

/** Members that the types of Kubernetes don't know: its schemas let them pass, an API server warns of them. */
function strangersIn(all: readonly Manifest[]): readonly string[] {
  const file = join(root, 'test/kubernetes.virtual.ts');
  const kinds = Object.keys(models);
  const source = [
    "import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';",
    "import type { IJob } from 'kubernetes-models/batch/v1/Job';",
    "import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';",
    "import type { ISecret } from 'kubernetes-models/v1/Secret';",
    "import type { IService } from 'kubernetes-models/v1/Service';",
    ...all
      .filter(({ kind }) => kinds.includes(kind))
      .map((one, index) => `export const m${index}: I${one.kind} = ${JSON.stringify(one)};`),
  ].join('\n');
  const options: ts.CompilerOptions = {
    ...{ noEmit: true, strict: true, skipLibCheck: true, types: [] },
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, source, ts.ScriptTarget.ESNext) : read(name, ...rest);
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

describe('examples/kubernetes/load.yaml', () => {
  test.each(manifests.map((one) => [`${one.kind} ${one.metadata.name}`, one] as const))(
    '%s is valid by the schema',
    (_name, manifest) => {
      expect(Object.keys(models)).toContain(manifest.kind);
      expect(faultOf(manifest)).toBeNull();
    },
  );

  test('no member is one that Kubernetes does not know', () => {
    expect(strangersIn(manifests)).toEqual([]);
  });

  test('a wrong type, a wrong value and a wrong name are seen', () => {
    const job = manifests.find(({ kind }) => kind === 'Job');
    const withSpec = (spec: object) => ({ ...job, spec: { ...job?.spec, ...spec } }) as Manifest;
    expect(faultOf(withSpec({ parallelism: 'twenty' }))).toContain('parallelism');
    expect(faultOf(withSpec({ completionMode: 'Sorted' }))).toContain('completionMode');
    expect(strangersIn([withSpec({ paralelism: 20 })]).join()).toContain('paralelism');
  });

  test('its containers run commands that Gatecheck understands, and as many workers as the load waits for', async () => {
    const io = processIo(() => undefined);
    const env = {
      GATECHECK_TARGET: 'https://qa.example.com',
      GATECHECK_REDIS: 'redis://gatecheck-redis:6379',
    };
    const containers = manifests.flatMap(({ spec }) => spec?.template?.spec.containers ?? []);
    const lines = containers.filter(({ image }) => image.includes('gatecheck')).map(({ args }) => args);
    expect(lines.map(([command]) => command)).toEqual(['worker', 'load']);
    for (const args of lines) await checkCommandLine({ ...io, env, args });
    const load = lines.find(([command]) => command === 'load') ?? [];
    const parallelism = manifests.flatMap(({ spec }) => spec?.parallelism ?? []);
    expect(parallelism).toEqual([Number(load[load.indexOf('--workers') + 1])]);
  });
});
