import type { MappingPlan } from './mapping-plan.ts';

export interface HeaderCheck {
  /** Where each header the mapping reads stands: header as the mapping writes it to 0-based column index. */
  readonly indexOf: ReadonlyMap<string, number>;
  /** Headers the mapping reads that the sheet lacks. */
  readonly missing: readonly string[];
  /** Headers the mapping reads that stand over more than one column. */
  readonly duplicated: readonly string[];
  /** The names a rule can tell the columns of such a header by. */
  readonly columnsOf: ReadonlyMap<string, readonly string[]>;
}

/**
 * Tells columns of one name apart by their order: "Margin", "Margin" are "Margin (1)" and "Margin (2)", so that a rule can
 * name either, and none reads the first of them by chance. A number that another header has already is passed over.
 */
export function numberRepeated(headers: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const header of headers) counts.set(header, (counts.get(header) ?? 0) + 1);
  const taken = new Set(headers);
  const last = new Map<string, number>();
  return headers.map((header) => {
    if (header === '' || counts.get(header) === 1) return header;
    let number = (last.get(header) ?? 0) + 1;
    while (taken.has(numbered(header, number))) number += 1;
    last.set(header, number);
    return numbered(header, number);
  });
}

const numbered = (header: string, number: number): string => `${header} (${number})`;

/** Names that stand over several columns, each with the headers that its columns have. */
export function numberedNames(headers: readonly string[]): Map<string, string[]> {
  const columns = new Map<string, string[]>();
  for (const header of headers) {
    const [, name] = /^(.+) \(\d+\)$/.exec(header) ?? [];
    if (name !== undefined) columns.set(name, [...(columns.get(name) ?? []), header]);
  }
  return new Map([...columns].filter(([name, each]) => each.length > 1 && !headers.includes(name)));
}

/** Case and runs of space make no difference between a mapping's header and the sheet's. */
export const headerKey = (header: string): string => header.trim().replace(/\s+/g, ' ').toLowerCase();

/** Finds the headers of a mapping in a sheet: exactly as written where that stands there, else by `headerKey`. */
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
    const places = found.get(name);
    if (places) places.push(index);
    else found.set(name, [index]);
  }
  return found;
}

/** What to tell the person whose tape does not fit the mapping; null where it fits. */
export function describeHeaderFaults(check: HeaderCheck, sheetHeaders: readonly string[]): string | null {
  const parts: string[] = [];
  if (check.missing.length > 0) {
    parts.push(
      `The sheet lacks ${quoteAll(check.missing)}, which the mapping reads. It has ${quoteAll(sheetHeaders.slice(0, 40))}${sheetHeaders.length > 40 ? ' and others' : ''}.`,
    );
  }
  for (const [header, columns] of check.columnsOf) {
    const how =
      columns.length > 1 ? `Say in the mapping which one is meant: ${quoteAll(columns)}.` : 'Rename all but one.';
    parts.push(`"${header}" stands over more than one column. ${how}`);
  }
  return parts.length > 0 ? parts.join(' ') : null;
}

const quoteAll = (headers: readonly string[]): string => headers.map((header) => `"${header}"`).join(', ');
