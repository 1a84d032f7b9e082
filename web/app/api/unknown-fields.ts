import { acceptedShape } from '@tapeline/domain/documents/accepted-shape.ts';
import type { z } from 'zod';

type Schema = z.core.$ZodTypes;

const known = (schema: z.core.$ZodType): Schema => schema as Schema;

/** Fields that one error names at most: a body can have 90,000 unknown ones. */
const MAX_NAMED = 20;

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
      // The same at each call, unlike what its getter makes.
      return accepted((schema as z.core.$ZodLazy)._zod.innerType as Schema);
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

/** A part of a body: what its schemas accept there, worked out once. Large bodies have 100,000 parts of few kinds. */
class Part {
  private readonly lists: readonly Schema[];
  private readonly objects: readonly Schema[];
  private readonly named = new Map<string, Part>();
  private inList: Part | null | undefined;

  constructor(candidates: readonly Schema[]) {
    const alternatives = [...new Set(candidates.flatMap(accepted))];
    this.lists = alternatives.flatMap(({ _zod: { def } }) => (def.type === 'array' ? [def.element as Schema] : []));
    this.objects = alternatives.filter(({ _zod: { def } }) =>
      ['object', 'record', 'any', 'unknown'].includes(def.type),
    );
  }

  /** Whether it may be an object at all; if not, that is another error. */
  get isObject(): boolean {
    return this.objects.length > 0;
  }

  /** An item of the list; null where no list is accepted, which is another error. */
  get item(): Part | null {
    if (this.inList === undefined) this.inList = this.lists.length > 0 ? partOf(this.lists) : null;
    return this.inList;
  }

  /** A field; null if no schema knows it. */
  field(name: string): Part | null {
    const found = this.named.get(name);
    if (found) return found;
    const schemas: Schema[] = [];
    let [isKnown, isNamed] = [false, false];
    for (const { _zod } of this.objects) {
      const { def } = _zod;
      if (def.type === 'object') {
        const isOwn = Object.hasOwn(def.shape, name);
        const field = isOwn ? def.shape[name] : def.catchall;
        isNamed ||= isOwn;
        // A strict object refuses the field itself.
        if (field) isKnown = true;
        if (field && field._zod.def.type !== 'never') schemas.push(field as Schema);
      } else {
        isKnown = true;
        if (def.type === 'record') schemas.push(def.valueType as Schema);
      }
    }
    if (!isKnown) return null;
    const part = partOf(schemas);
    // The names of a record are the sender's, and without end.
    if (isNamed) this.named.set(name, part);
    return part;
  }
}

interface Link {
  part: Part | null;
  readonly next: WeakMap<object, Link>;
}
const start: Link = { part: null, next: new WeakMap() };

/** The part with these schemas. There are only as many as schemas, so that what is worked out stays small. */
function partOf(schemas: readonly Schema[]): Part {
  let link = start;
  for (const schema of new Set(schemas)) {
    let next = link.next.get(schema);
    if (!next) {
      next = { part: null, next: new WeakMap() };
      link.next.set(schema, next);
    }
    link = next;
  }
  link.part ??= new Part(schemas);
  return link.part;
}

/**
 * Paths of the fields of a body that none of the schemas knows, at any depth; at most 20. Schemas of one part of the
 * body are alternatives: a field is known if one of them has it.
 * @param schemas of the body; for an update also that of the document as it is read, whose fields are ignored
 */
export function unknownFields(schemas: readonly z.ZodType[], body: unknown): string[][] {
  const found: string[][] = [];
  const path: string[] = [];
  const search = (part: Part, value: unknown): void => {
    if (typeof value !== 'object' || value === null || found.length >= MAX_NAMED) return;
    if (Array.isArray(value)) {
      const { item } = part;
      if (item) for (let at = 0; at < value.length; at += 1) within(String(at), item, value[at]);
    } else if (part.isObject) {
      for (const [name, field] of Object.entries(value)) within(name, part.field(name), field);
    }
  };
  const within = (name: string, part: Part | null, value: unknown): void => {
    path.push(name);
    if (part) search(part, value);
    else if (found.length < MAX_NAMED) found.push([...path]);
    path.pop();
  };
  search(partOf(schemas.map(known)), body);
  return found;
}
