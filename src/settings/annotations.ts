import { z } from 'zod';

/** Facts about a schema that zod cannot express: for messages, help, editors and completion. */
interface Annotation {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /** The accepted form in words, with an example. */
  readonly expected?: string;
  /** Its values are never shown. */
  readonly isSecret?: true;
  readonly isPath?: true;
  /** Commas are part of a value: a list is given by repeating the option. */
  readonly holdsCommas?: true;
}

const annotations = z.registry<Annotation>();

/** A copy of a schema with further annotations, in addition to those of the original. */
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

/** The same for editors: descriptions and examples only. */
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
