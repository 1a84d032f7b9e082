import { printOffset } from './cut-off.ts';
import type { Condition, Filter } from './filter.ts';

type JsonFilter = Record<string, unknown>;

/** The filter as a JSON object; parsing it returns the same filter. */
export function filterToJson(filter: Filter): JsonFilter {
  if (filter.kind === 'not') {
    if (filter.filter.kind === 'or') return { $nor: filter.filter.filters.map(filterToJson) };
    return { $not: filterToJson(filter.filter) };
  }
  if (filter.kind === 'or') return { $or: filter.filters.map(filterToJson) };
  if (filter.kind === 'and') return sideBySide(filter.filters) ?? { $and: filter.filters.map(filterToJson) };
  return { [filter.field.path]: printOperators([filter]) };
}

/** The parts as keys of one object, if that preserves each of them and their order; otherwise null. */
function sideBySide(parts: readonly Filter[]): JsonFilter | null {
  const runs: { key: string; conditions: Condition[] }[] = [];
  const printed: JsonFilter = {};
  for (const part of parts) {
    if (part.kind === 'and' || part.kind === 'or' || part.kind === 'not') {
      const [entry] = Object.entries(filterToJson(part));
      if (!entry || entry[0] in printed) return null;
      printed[entry[0]] = entry[1];
      runs.push({ key: entry[0], conditions: [] });
      continue;
    }
    const key = part.field.path;
    const previous = runs.at(-1);
    if (previous?.key === key && previous.conditions.every((other) => other.operator !== part.operator)) {
      previous.conditions.push(part);
    } else {
      runs.push({ key, conditions: [part] });
    }
    if (runs.filter((run) => run.key === key).length > 1) return null;
    printed[key] = printOperators(runs.at(-1)?.conditions ?? []);
  }
  // Keys that look like array indexes would come first, whatever their position.
  return Object.keys(printed).every((key, index) => key === runs[index]?.key) ? printed : null;
}

function printOperators(conditions: readonly Condition[]): unknown {
  const [only] = conditions;
  if (only?.kind === 'compare' && only.operator === 'eq' && conditions.length === 1) return operandOf(only);
  return Object.fromEntries(conditions.flatMap(printOperator));
}

function printOperator(condition: Condition): [string, unknown][] {
  switch (condition.kind) {
    case 'compare':
    case 'compareField':
    case 'compareCutOff':
      return [[condition.operator, operandOf(condition)]];
    case 'list':
      return [[condition.operator, condition.values.map((value) => printLiteral(condition, value))]];
    case 'like':
      return [['like', condition.pattern]];
    case 'regex':
      return [['regex', condition.pattern], ...(condition.ignoreCase ? [['options', 'i'] as [string, unknown]] : [])];
    case 'exists':
      return [['exists', condition.exists]];
  }
}

/** What a condition compares its field with, as in a filter's JSON. */
export function operandOf(condition: Extract<Condition, { kind: `compare${string}` }>): unknown {
  if (condition.kind === 'compareField') return { $field: condition.other.path };
  if (condition.kind === 'compareCutOff') return { $cutOff: printOffset(condition.offset) };
  if (condition.offset) return { $cutOff: printOffset(condition.offset) };
  return printLiteral(condition, condition.value);
}

/** A decimal is written as a number if a double represents it exactly, otherwise as text, which is accepted as well. */
function printLiteral(condition: Condition, value: unknown): unknown {
  return condition.field.type === 'decimal' && String(Number(value)) === value ? Number(value) : value;
}
