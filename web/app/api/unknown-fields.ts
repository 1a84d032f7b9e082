import { acceptedShape } from '@tapeline/domain/documents/accepted-shape.ts';
import type { z } from 'zod';

type Schema = z.core.$ZodTypes;

const known = (schema: z.core.$ZodType): Schema => schema as Schema;

/** Fields that one error names at most: a body can have 90,000 unknown ones. */
const MOST_NAMED = 20;

/** What a schema accepts, without the wrappers around it: the alternatives of a union, the inside of an optional. */
function accepted(schema: Schema): Schema[] {
  const described = acceptedShape(schema);
  if (described) return accepted(known(described));
  const { def } = schema._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return accepted(def.innerType as Schema);
    case 'lazy':
      return accepted(def.getter() as Schema);
    case 'union':
      return def.options.flatMap((option) => accepted(option as Schema));
    case 'intersection':
      return [def.left, def.right].flatMap((part) => accepted(part as Schema));
    // A transform in front prepares the input of what follows it; one behind receives what was accepted before it.
    case 'pipe':
      return accepted((def.in._zod.def.type === 'transform' ? def.out : def.in) as Schema);
    default:
      return [schema];
  }
}

/** The schemas of a field, or null if none of them knows it. */
function fieldSchemas(schemas: readonly Schema[], name: string): Schema[] | null {
  const found: Schema[] = [];
  let isKnown = false;
  for (const schema of schemas) {
    const { def } = schema._zod;
    if (def.type === 'object') {
      const field = Object.hasOwn(def.shape, name) ? def.shape[name] : def.catchall;
      // A strict object refuses the field itself.
      if (field) isKnown = true;
      if (field && field._zod.def.type !== 'never') found.push(field as Schema);
    } else if (def.type === 'record') {
      isKnown = true;
      found.push(def.valueType as Schema);
    } else if (def.type === 'any' || def.type === 'unknown') {
      isKnown = true;
    }
  }
  return isKnown ? found : null;
}

/**
 * Paths of the fields of a body that none of the schemas knows, at any depth; at most 20. Schemas of one part of the
 * body are alternatives: a field is known if one of them has it.
 * @param schemas of the body; for an update also that of the document as it is read, whose fields are ignored
 */
export function unknownFields(schemas: readonly z.ZodType[], body: unknown): string[][] {
  const found: string[][] = [];
  const search = (candidates: readonly Schema[], value: unknown, path: readonly string[]): void => {
    if (typeof value !== 'object' || value === null || found.length >= MOST_NAMED) return;
    const alternatives = candidates.flatMap(accepted);
    if (Array.isArray(value)) {
      const elements = alternatives.flatMap(({ _zod: { def } }) =>
        def.type === 'array' ? [def.element as Schema] : [],
      );
      // A list where none is accepted is another error.
      if (elements.length === 0) return;
      for (const [index, item] of value.entries()) search(elements, item, [...path, String(index)]);
      return;
    }
    const objects = alternatives.filter(({ _zod: { def } }) =>
      ['object', 'record', 'any', 'unknown'].includes(def.type),
    );
    if (objects.length === 0) return;
    for (const [name, field] of Object.entries(value)) {
      if (found.length >= MOST_NAMED) return;
      const inside = fieldSchemas(objects, name);
      if (inside === null) found.push([...path, name]);
      else search(inside, field, [...path, name]);
    }
  };
  search(schemas.map(known), body, []);
  return found;
}
