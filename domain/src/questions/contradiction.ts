import type { Filter, Literal } from '../filters/filter.ts';
import { compare, isDecimal } from '../money/decimal.ts';

/** Conditions of a question that no row can meet together: "from Washington DC", "between 12% and 10%". */
export function contradictionIn(filter: Filter): string | null {
  if (filter.kind === 'or') return first(filter.filters.map(contradictionIn));
  if (filter.kind !== 'and') return null;
  const parts = partsOf(filter);
  const seen = new Map<
    string,
    { label: string; values: readonly Literal[] | null; low: Literal | null; high: Literal | null }
  >();
  for (const part of parts) {
    if ((part.kind !== 'compare' && part.kind !== 'list') || part.field.isList) continue;
    const { path, label } = part.field;
    const one = seen.get(path) ?? { label, values: null, low: null, high: null };
    const values = valuesOf(part);
    if (values && one.values && !values.some((value) => one.values?.includes(value)))
      return `${label} cannot have two values at once. Write “or” between alternatives.`;
    const bound = part.kind === 'compare' ? part : null;
    const low = bound?.operator === 'gt' || bound?.operator === 'gte' ? bound.value : one.low;
    const high = bound?.operator === 'lt' || bound?.operator === 'lte' ? bound.value : one.high;
    if (low !== null && high !== null && isAbove(low, high))
      return `${label} cannot be over ${low} and under ${high} at once. Write the lower one first, or “or” between them.`;
    seen.set(path, { label, values: values ?? one.values, low, high });
  }
  return first(parts.map(contradictionIn));
}

const first = (texts: readonly (string | null)[]): string | null => texts.find((text) => text !== null) ?? null;

/** The parts of nested groups that all have to be met. */
const partsOf = (filter: Filter): Filter[] => (filter.kind === 'and' ? filter.filters.flatMap(partsOf) : [filter]);

function valuesOf(part: Filter): readonly Literal[] | null {
  if (part.kind === 'compare' && part.operator === 'eq') return [part.value];
  return part.kind === 'list' && part.operator === 'in' ? part.values : null;
}

function isAbove(low: Literal, high: Literal): boolean {
  const [one, other] = [String(low), String(high)];
  if (isDecimal(one) && isDecimal(other)) return compare(one, other) > 0;
  return typeof low === 'number' && typeof high === 'number' ? low > high : one > other;
}
