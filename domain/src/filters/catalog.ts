/** How a field's values compare: `decimal` exactly, `date` as a calendar date, `instant` as a moment in time. */
export type FieldType = 'text' | 'number' | 'decimal' | 'boolean' | 'date' | 'instant';

/** A field that conditions may name. */
export interface Field {
  /** Full dotted path, `address.state`. */
  readonly path: string;
  /** As people read it in a sentence, `State`. */
  readonly label: string;
  readonly type: FieldType;
  /** The texts the field can hold, where they are known; suggestions, not a check. */
  readonly values?: readonly string[];
  /** Written after numbers: `%`, `days`, `USD`. */
  readonly unit?: string;
}

export interface FieldCatalog {
  readonly fields: readonly Field[];
  /** The field a full or shortened path means; otherwise the fields it could mean: none, or several. */
  resolve(path: string): { readonly field: Field } | { readonly candidates: readonly Field[] };
}

/**
 * A catalog of the fields one collection can be filtered by. A path may be shortened to its last parts where only one
 * field ends so; the full path always wins.
 * @param optionalPrefix may stand before any full path (`targetData.`).
 */
export function createCatalog(fields: readonly Field[], optionalPrefix?: string): FieldCatalog {
  const byPath = new Map<string, Field>();
  const byEnding = new Map<string, Field[]>();
  for (const field of fields) {
    if (byPath.has(field.path)) throw new Error(`The field ${field.path} stands twice in one catalog`);
    byPath.set(field.path, field);
    for (const ending of endingsOf(field.path)) {
      const others = byEnding.get(ending);
      if (others) others.push(field);
      else byEnding.set(ending, [field]);
    }
  }
  return {
    fields,
    resolve(path) {
      const exact =
        byPath.get(path) ??
        (optionalPrefix && path.startsWith(optionalPrefix) ? byPath.get(path.slice(optionalPrefix.length)) : undefined);
      if (exact) return { field: exact };
      const candidates = byEnding.get(path) ?? [];
      const [only] = candidates;
      return only && candidates.length === 1 ? { field: only } : { candidates };
    },
  };
}

/** `a.b.c` can be shortened to `b.c` and `c`. */
function endingsOf(path: string): string[] {
  const endings: string[] = [];
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) endings.push(path.slice(dot + 1));
  return endings;
}
