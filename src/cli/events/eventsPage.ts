import { z } from 'zod';
import { escapeMarkdown } from '../../report/text/markdown.ts';
import { eventGroups, eventLineSchema } from './commandEvents.ts';

/** The JSON Schema of a line of `--json`. */
export function renderEventsSchema(): string {
  const title = 'A line of what Gatecheck prints with --json';
  return `${JSON.stringify({ title, ...z.toJSONSchema(eventLineSchema, { io: 'input' }) }, null, 2)}\n`;
}

/** The docs page about all events, derived from their schemas. */
export function renderEventsPage(): string {
  return [
    '# Events',
    '',
    '```sh',
    'npx gatecheck plan --json',
    "npx gatecheck run --only 'WCI-STS-*' --json",
    'npx gatecheck doctor --json',
    'npx gatecheck load --duration 30s --json',
    '```',
    '',
    '`--json` prints each event as a line of JSON on stdout, as it happens; everything for people stays on stderr. Each line has a `name` and `at`, the time',
    'of this machine in UTC. No line contains a key. A script that reads them ignores names and members that it does not know: new ones may come with any',
    'version, and none goes before a major one. The [JSON schema of a line](../schemas/events.schema.json) is published. `gatecheck load` prints `exchange` only with',
    '`--verbose` as well, since a load may send thousands a second; `notice`, `waiting` and `state-set` come from every command that sends. `dev` and `monitor`',
    'print lines for people.',
    '',
    '<!-- Written by `npm run schemas` from the schemas in src/; a test compares. -->',
    ...eventGroups.flatMap(({ of, events }) => [
      '',
      `## ${of.map((name) => `\`${name}\``).join(', ')}: ${events.length === 1 ? 'the end' : 'events'}`,
      '',
      '| event | when | members |',
      '| --- | --- | --- |',
      ...events.map((event) => eventRow(event)),
    ]),
    '',
  ].join('\n');
}

function eventRow(event: z.ZodObject): string {
  const { name, ...members } = event.shape;
  const title = name instanceof z.ZodLiteral ? String(name.value) : '';
  const cells = Object.entries(members).map(([member, schema]) => {
    const about = (schema as z.ZodType).description;
    return about === undefined ? `\`${member}\`` : `\`${member}\` (${escapeMarkdown(about)})`;
  });
  return `| \`${title}\` | ${escapeMarkdown(event.description ?? '')} | ${cells.join(', ')} |`;
}
