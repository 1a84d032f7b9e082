import { type Filter, joinFilters } from '../filters/filter.ts';

/** How many conditions one side of an "or" has, and whether the first and the last are joined to the others by no word. */
export interface Side {
  readonly parts: number;
  readonly opens: boolean;
  readonly closes: boolean;
}
/** Words that join a condition to the one before it. */
export const JOINTS: ReadonlySet<string> = new Set(['and', 'but', ',']);

/** "Texas loans over 60 days late or charged off", "late or charged off in Texas": the state can belong to both. */
export function reachesOver(sides: readonly Side[]): boolean {
  const [first, last] = [sides[0], sides.at(-1)];
  if (!first || !last || sides.length < 2) return false;
  const areSingle = (others: readonly Side[]) => others.every(({ parts }) => parts === 1);
  return (first.opens && areSingle(sides.slice(1))) || (last.closes && areSingle(sides.slice(0, -1)));
}

/** "Pending or in review": alternatives of one field as one list. */
export function joinAlternatives(parts: readonly Filter[]): Filter {
  const [first] = parts;
  if (first?.kind !== 'compare' && first?.kind !== 'list') return joinFilters('or', parts);
  const values = parts.map((part) => {
    if (part.kind === 'compare' && part.operator === 'eq') return part.field === first.field ? [part.value] : null;
    return part.kind === 'list' && part.operator === 'in' && part.field === first.field ? part.values : null;
  });
  const all = values.flatMap((some) => some ?? []);
  if (parts.length < 2 || values.includes(null) || first.field.type !== 'text') return joinFilters('or', parts);
  return { kind: 'list', field: first.field, operator: 'in', values: [...new Set(all)] };
}
