import { BroadcastChannel, type MessagePort } from 'node:worker_threads';
import type { CheckOutcome } from '../engine/findings/outcome.ts';

interface Question {
  readonly ask: string;
  readonly from: number;
}

interface Answer {
  readonly to: number;
  readonly ask: string;
  readonly outcome: CheckOutcome;
}

type Message = Question | Answer;

/** Answers the tests in vitest's worker thread from the engine's thread; returns a function that stops it. */
export function answerTests(
  channelName: string,
  outcomeOf: (check: string) => Promise<CheckOutcome>,
): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = (event) => {
    const message = (event as { data: Message }).data;
    if (!('from' in message)) return;
    void outcomeOf(message.ask).then((outcome) =>
      channel.postMessage({ to: message.from, ask: message.ask, outcome } satisfies Answer),
    );
  };
  return () => channel.close();
}

/** Asks the engine for the outcomes of checks, from vitest's worker thread. */
export function askEngine(channelName: string): (check: string) => Promise<CheckOutcome> {
  const channel = new BroadcastChannel(channelName);
  (channel as unknown as MessagePort).unref();
  const self = Math.floor(Math.random() * 2 ** 52);
  const open = new Map<string, (outcome: CheckOutcome) => void>();
  channel.onmessage = (event) => {
    const message = (event as { data: Message }).data;
    if (!('to' in message) || message.to !== self) return;
    open.get(message.ask)?.(message.outcome);
    open.delete(message.ask);
  };
  return (check) =>
    new Promise((resolve) => {
      open.set(check, resolve);
      channel.postMessage({ ask: check, from: self } satisfies Question);
    });
}
