import { z } from 'zod';

/** What is known of a schema beyond what zod can say: for messages, help, editors and completion. */
interface Annotation {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /** The accepted form in words, with an example. */
  readonly expected?: string;
  /** Its values are never shown. */
  readonly isSecret?: true;
  readonly isPath?: true;
  /** Commas are part of a value: a list of them is written by giving the option several times. */
  readonly holdsCommas?: true;
}

const annotations = z.registry<Annotation>();

/** A copy of a schema that carries what is known of it, besides what the original carries. */
export function annotate<S extends z.ZodType>(schema: S, annotation: Annotation): S {
  const copy = schema.clone();
  annotations.add(copy, annotation);
  return copy;
}

/** One node of a JSON Schema, as far as messages and help need it. */
export interface SchemaNode extends Annotation {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** What a schema accepts, as a JSON Schema with all annotations. */
export function nodeOf(schema: z.ZodType): SchemaNode {
  return z.toJSONSchema(schema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => void Object.assign(jsonSchema, annotationOf(zodSchema)),
  }) as SchemaNode;
}

/** The same as editors know it: descriptions and examples only. */
export function publishedSchema(schema: z.ZodType): unknown {
  return z.toJSONSchema(schema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      const { description, examples } = annotationOf(zodSchema);
      if (description !== undefined) jsonSchema.description = description;
      if (examples !== undefined) jsonSchema.examples = [...examples];
    },
  });
}

/** Whether commas are part of a value. */
export function holdsCommas(schema: z.ZodType): boolean {
  return annotationOf(schema).holdsCommas === true;
}

function annotationOf(schema: z.core.$ZodType): Annotation {
  return annotations.get(schema as z.ZodType) ?? {};
}
