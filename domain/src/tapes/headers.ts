import { numberedNames } from '@tapeline/sheets/repeated-headers.ts';
import type { MappingPlan } from './mapping-plan.ts';

export interface HeaderCheck {
  /** The position of each header that the mapping reads: header as the mapping writes it to 0-based column index. */
  readonly indexOf: ReadonlyMap<string, number>;
  /** Headers that the mapping reads and the sheet does not have. */
  readonly missing: readonly string[];
  /** Headers that the mapping reads and that more than one column has. */
  readonly duplicated: readonly string[];
  /** The names by which a rule can distinguish the columns of a duplicated header. */
  readonly columnsOf: ReadonlyMap<string, readonly string[]>;
}

/**
 * Normalizes a header: case and runs of whitespace are ignored when a mapping's header is compared with the sheet's.
 */
export const headerKey = (header: string): string => header.trim().replace(/\s+/g, ' ').toLowerCase();

/** Finds the headers of a mapping in a sheet: by exact match if there is one, otherwise by `headerKey`. */
export function checkHeaders(plan: Pick<MappingPlan, 'headers'>, sheetHeaders: readonly string[]): HeaderCheck {
  const exact = positions(sheetHeaders, (header) => header);
  const alike = positions(sheetHeaders, headerKey);
  const indexOf = new Map<string, number>();
  const missing: string[] = [];
  const columnsOf = new Map<string, readonly string[]>();
  const several = new Map([...numberedNames(sheetHeaders)].map(([name, columns]) => [headerKey(name), columns]));
  for (const header of plan.headers) {
    const found = exact.get(header) ?? alike.get(headerKey(header)) ?? [];
    const [index] = found;
    const columns = several.get(headerKey(header));
    if (index === undefined && columns) columnsOf.set(header, columns);
    else if (index === undefined) missing.push(header);
    else if (found.length > 1) columnsOf.set(header, [...new Set(found.map((place) => sheetHeaders[place]!))]);
    else indexOf.set(header, index);
  }
  return { indexOf, missing, duplicated: [...columnsOf.keys()], columnsOf };
}

function positions(headers: readonly string[], key: (header: string) => string): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [index, header] of headers.entries()) {
    const name = key(header);
    if (name === '') continue;
    const indexes = found.get(name);
    if (indexes) indexes.push(index);
    else found.set(name, [index]);
  }
  return found;
}

/** The message for the user if the tape does not fit the mapping; null if it fits. */
export function describeHeaderProblems(check: HeaderCheck, sheetHeaders: readonly string[]): string | null {
  const parts: string[] = [];
  if (check.missing.length > 0) {
    parts.push(
      `The sheet lacks ${quoteAll(check.missing)}, which the mapping reads. It has ${quoteAll(sheetHeaders.slice(0, 40))}${sheetHeaders.length > 40 ? ' and others' : ''}.`,
    );
  }
  for (const [header, columns] of check.columnsOf) {
    const how = columns.length > 1 ? `Specify the column in the mapping: ${quoteAll(columns)}.` : 'Rename all but one.';
    parts.push(`"${header}" is the header of more than one column. ${how}`);
  }
  return parts.length > 0 ? parts.join(' ') : null;
}

const quoteAll = (headers: readonly string[]): string => headers.map((header) => `"${header}"`).join(', ');
