import { isId } from '../documents/id.schema.ts';
import { type Difference, isRecord } from './differences.ts';

/** Maximum values of a document that are searched for references. */
const MAX_VALUES = 1_000;

/** The ids of documents among the values of the differences, as many as a page can show by name. */
export function referencesOf(differences: readonly Difference[]): Set<string> {
  const ids = new Set<string>();
  let left = MAX_VALUES;
  const visit = (value: unknown): void => {
    left -= 1;
    if (left < 0) return;
    if (typeof value === 'string') {
      if (isId(value)) ids.add(value);
    } else if (Array.isArray(value)) value.forEach(visit);
    else if (isRecord(value)) Object.values(value).forEach(visit);
  };
  for (const difference of differences) {
    visit(difference.old);
    visit(difference.new);
  }
  return ids;
}
