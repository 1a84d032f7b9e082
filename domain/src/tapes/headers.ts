import type { MappingPlan } from './mapping-plan.ts';

export interface HeaderCheck {
  /** Where each header the mapping reads stands: header as the mapping writes it to 0-based column index. */
  readonly indexOf: ReadonlyMap<string, number>;
  /** Headers the mapping reads that the sheet lacks. */
  readonly missing: readonly string[];
  /** Headers the mapping reads that stand over more than one column. */
  readonly duplicated: readonly string[];
}

/** Case and runs of space make no difference between a mapping's header and the sheet's. */
export const headerKey = (header: string): string => header.trim().replace(/\s+/g, ' ').toLowerCase();

/** Finds the headers of a mapping in a sheet: exactly as written where that stands there, else by `headerKey`. */
export function checkHeaders(plan: Pick<MappingPlan, 'headers'>, sheetHeaders: readonly string[]): HeaderCheck {
  const exact = positions(sheetHeaders, (header) => header);
  const alike = positions(sheetHeaders, headerKey);
  const indexOf = new Map<string, number>();
  const missing: string[] = [];
  const duplicated: string[] = [];
  for (const header of plan.headers) {
    const found = exact.get(header) ?? alike.get(headerKey(header)) ?? [];
    const [index] = found;
    if (index === undefined) missing.push(header);
    else if (found.length > 1) duplicated.push(header);
    else indexOf.set(header, index);
  }
  return { indexOf, missing, duplicated };
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
  if (check.duplicated.length > 0) {
    parts.push(`These headers stand over more than one column: ${quoteAll(check.duplicated)}. Rename all but one.`);
  }
  return parts.length > 0 ? parts.join(' ') : null;
}

const quoteAll = (headers: readonly string[]): string => headers.map((header) => `"${header}"`).join(', ');
