import type { Field } from './catalog.ts';
import type { CutOffOffset } from './cut-off.ts';

/** Operators that compare a value with one literal. */
export const COMPARISONS = ['eq', 'neq', 'lt', 'lte', 'gt', 'gte'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** A comparison that is false where another is true, and the other way round. */
export const OPPOSITES = { eq: 'neq', neq: 'eq', lt: 'gte', gte: 'lt', gt: 'lte', lte: 'gt' } as const;

export const OPERATORS = ['in', 'nin', ...COMPARISONS, 'like', 'exists', 'regex'] as const;
export type Operator = (typeof OPERATORS)[number];

export const isOperator = (word: string): word is Operator => (OPERATORS as readonly string[]).includes(word);

/**
 * A literal in its field's form: text unchanged, number as a number, decimal as DecimalText without trailing zeros,
 * date as 'YYYY-MM-DD', instant as 'YYYY-MM-DDTHH:mm:ss.sssZ', boolean as a boolean.
 */
export type Literal = string | number | boolean;

/** One field, one operator. */
export type Condition =
  | {
      readonly kind: 'compare';
      readonly field: Field;
      readonly operator: Comparison;
      readonly value: Literal;
      /** If the value is a date that was written relative to the cut-off date. */
      readonly offset?: CutOffOffset;
    }
  /** Compares two fields of one type. Amounts of different currencies compare as unknown. */
  | { readonly kind: 'compareField'; readonly field: Field; readonly operator: Comparison; readonly other: Field }
  /** Compares a date with one relative to the cut-off date, which each row has in the field `cutOff`. */
  | {
      readonly kind: 'compareCutOff';
      readonly field: Field;
      readonly operator: Comparison;
      readonly offset: CutOffOffset;
      readonly cutOff: Field;
    }
  | {
      readonly kind: 'list';
      readonly field: Field;
      readonly operator: 'in' | 'nin';
      readonly values: readonly Literal[];
    }
  | { readonly kind: 'like'; readonly field: Field; readonly operator: 'like'; readonly pattern: string }
  | {
      readonly kind: 'regex';
      readonly field: Field;
      readonly operator: 'regex';
      readonly pattern: string;
      readonly ignoreCase: boolean;
    }
  | { readonly kind: 'exists'; readonly field: Field; readonly operator: 'exists'; readonly exists: boolean };

/**
 * A validated filter in canonical form: an `and` directly within an `and` (or an `or` within an `or`) is merged into
 * it, and a group of one is replaced by its member; an empty `and` passes everything, an empty `or` does not occur.
 */
export type Filter =
  | Condition
  | { readonly kind: 'and'; readonly filters: readonly Filter[] }
  | { readonly kind: 'or'; readonly filters: readonly Filter[] }
  | { readonly kind: 'not'; readonly filter: Filter };

/** The filter that passes everything, `{}`. */
export const EVERYTHING: Filter = { kind: 'and', filters: [] };

export const isEverything = (filter: Filter): boolean => filter.kind === 'and' && filter.filters.length === 0;

/** The filters joined, in canonical form. An `or` of nothing is a bug. */
export function joinFilters(kind: 'and' | 'or', filters: readonly Filter[]): Filter {
  const merged = filters.flatMap((filter) => (filter.kind === kind ? filter.filters : [filter]));
  if (kind === 'or' && merged.length === 0) throw new Error('An or of nothing has no meaning');
  const [only] = merged;
  return only && merged.length === 1 ? only : { kind, filters: merged };
}

/** Each field that a filter names, once, in order of appearance; the currencies of amounts are not named. */
export function fieldsOf(filter: Filter): Field[] {
  const fields = new Map<string, Field>();
  const visit = (part: Filter): void => {
    if (part.kind === 'and' || part.kind === 'or') part.filters.forEach(visit);
    else if (part.kind === 'not') visit(part.filter);
    else {
      fields.set(part.field.path, part.field);
      if (part.kind === 'compareField') fields.set(part.other.path, part.other);
    }
  };
  visit(filter);
  return [...fields.values()];
}

/** The currencies of two amounts that are compared, if they can differ; null if they cannot. */
export function currenciesOf({ field, other }: Extract<Condition, { kind: 'compareField' }>): [Field, Field] | null {
  const { currency } = field;
  return currency && other.currency && currency.path !== other.currency.path ? [currency, other.currency] : null;
}

/** How many conditions and groups a filter has, and how deeply its groups are nested. */
export function measureFilter(filter: Filter): { nodes: number; depth: number } {
  const parts = filter.kind === 'and' || filter.kind === 'or' ? filter.filters : null;
  if (parts) {
    let [nodes, depth] = [1, 0];
    for (const part of parts) {
      const inner = measureFilter(part);
      nodes += inner.nodes;
      depth = Math.max(depth, inner.depth);
    }
    return { nodes, depth: depth + 1 };
  }
  if (filter.kind !== 'not') return { nodes: 1, depth: 0 };
  const inner = measureFilter(filter.filter);
  return { nodes: inner.nodes + 1, depth: inner.depth + 1 };
}
