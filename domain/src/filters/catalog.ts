/** How a field's values compare: `decimal` exactly, `date` as a calendar date, `instant` as a moment in time. */
export type FieldType = 'text' | 'number' | 'decimal' | 'boolean' | 'date' | 'instant';

/** A field that conditions may refer to. */
export interface Field {
  /** Full dotted path, `address.state`. */
  readonly path: string;
  /** Its name in a sentence, `State`. */
  readonly label: string;
  readonly type: FieldType;
  /** The texts that the field can hold, if they are known; suggestions, not a check. */
  readonly values?: readonly string[];
  /** Written after numbers: `%`, `days`, `USD`. */
  readonly unit?: string;
  /**
   * A document has a list of such values. A condition holds if one element meets it; `neq` and `nin` hold if none is the
   * value. An empty list is missing.
   */
  readonly isList?: boolean;
  /** Of an amount of money: the field with its currency. */
  readonly currency?: Field;
  /** Its values are ids of documents, which say nothing to people: programs filter by it, and no screen offers it. */
  readonly isId?: boolean;
}

export interface FieldCatalog {
  readonly fields: readonly Field[];
  /** The date that `$cutOff` refers to; without it, conditions cannot use `$cutOff`. */
  readonly cutOff?: Field;
  /** The field that a full or shortened path refers to; otherwise the candidates: none, or several. */
  resolve(path: string): { readonly field: Field } | { readonly candidates: readonly Field[] };
}

/**
 * A catalog of the fields that a collection can be filtered by. A path may be shortened to its last parts if they are
 * unique; a full path always wins.
 * @param optionalPrefix may precede any full path (`targetData.`)
 * @param aliases other full paths, each with the path of its field
 */
export function createCatalog(
  fields: readonly Field[],
  optionalPrefix?: string,
  aliases: ReadonlyMap<string, string> = new Map(),
): FieldCatalog {
  const byPath = new Map<string, Field>();
  const byEnding = new Map<string, Field[]>();
  for (const field of fields) {
    if (byPath.has(field.path)) throw new Error(`The field ${field.path} occurs twice in one catalog`);
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
        byPath.get(aliases.get(path) ?? '') ??
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
