import { z } from 'zod';
import { configSchema } from './schema.ts';

/** One node of a JSON Schema, as far as error messages and editors need it. */
export interface SchemaNode {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The published JSON Schema of the config file. */
export function configJsonSchema(): SchemaNode {
  return z.toJSONSchema(configSchema, { io: 'input' }) as SchemaNode;
}

/** The file as it is published. */
export function renderConfigSchema(): string {
  return `${JSON.stringify(configJsonSchema(), null, 2)}\n`;
}

/** The node that describes the field at a path, undefined where there is none. */
export function nodeAt(
  path: readonly PropertyKey[],
  root: SchemaNode = configJsonSchema(),
): SchemaNode | undefined {
  return path.reduce<SchemaNode | undefined>((node, step) => node && child(node, step), root);
}

function child(node: SchemaNode, step: PropertyKey): SchemaNode | undefined {
  const own = typeof step === 'number' ? node.items : (node.properties?.[String(step)] ?? additional(node));
  return own ?? node.anyOf?.map((branch) => child(branch, step)).find((found) => found !== undefined);
}

function additional(node: SchemaNode): SchemaNode | undefined {
  return typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined;
}
