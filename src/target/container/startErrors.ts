import { type GatecheckError, targetError } from '../../core/errors.ts';
import type { StartSettings, WaitCondition } from '../../core/settings.ts';

interface Started {
  readonly reference: string;
  readonly start: StartSettings;
}

export function notPulled(reference: string, cause: unknown): GatecheckError {
  return targetError(
    'IMAGE_PULL',
    `Expected to pull the image ${reference}: ${firstLine(cause)}`,
    'Check its name, the network and `docker login`, or build it on this machine before.',
    cause,
  );
}

export function notStarted({ reference }: Started, cause: unknown): GatecheckError {
  return targetError(
    'IMAGE_START',
    `Expected the engine to start a container of ${reference}: ${firstLine(cause)}`,
    'Check image.command, image.files and image.networks in the config.',
    cause,
  );
}

export function diedEarly(
  { reference }: Started,
  exitCode: number,
  lastLines: readonly string[],
): GatecheckError {
  return targetError(
    'IMAGE_DIED',
    `Expected a container of ${reference} to get ready; it ended with exit code ${exitCode}. ${renderTail(lastLines)}`,
    'Check its environment, command and files under image in the config.',
  );
}

export function neverReady({ reference, start }: Started, lastLines: readonly string[]): GatecheckError {
  return targetError(
    'IMAGE_WAIT',
    `Expected a container of ${reference} to ${renderWait(start.waitFor)} within ${start.startupTimeoutMs / 1000} s; it did not. ${renderTail(lastLines)}`,
    'Check image.port, image.waitFor and image.startupTimeout in the config.',
  );
}

export function renderTail(lines: readonly string[]): string {
  if (lines.length === 0) return 'It logged nothing.';
  return ['It logged last:', ...lines.map((line) => `  | ${line}`)].join('\n');
}

function renderWait(condition: WaitCondition): string {
  switch (condition.kind) {
    case 'http':
      return `answer GET ${condition.path} on its port ${condition.port} with ${condition.status ?? 'any status'}`;
    case 'log':
      return `log ${JSON.stringify(condition.text)}`;
    case 'started':
      return 'run';
  }
}

function firstLine(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.split('\n')[0] ?? text;
}
