import { fieldsOf } from '../filters/filter.ts';
import { type MappingPlan, rulesRead } from './mapping-plan.ts';
import type { PlannedRule } from './planned-rule.ts';

/** The headers of the tape that a rule reads, its own first. A header can be there twice. */
export function headersRead({ header, steps }: PlannedRule): string[] {
  const headers = header === null ? [] : [header];
  for (const { columns, filter } of steps) {
    for (const source of columns.values()) if (source.from === 'origin') headers.push(source.header);
    for (const { path } of filter ? fieldsOf(filter) : []) {
      if (path.startsWith('origin.')) headers.push(path.slice('origin.'.length));
    }
  }
  return headers;
}

/**
 * The missing header that each rule needs, directly or through a rule that it reads; keyed by position in the mapping.
 */
export function lackingRules(
  plan: Pick<MappingPlan, 'rules'>,
  missing: readonly string[],
): ReadonlyMap<number, string> {
  const gone = new Set(missing);
  const lacking = new Map<number, string>();
  // Rules are in execution order, so the rules that a rule reads come before it.
  for (const planned of plan.rules) {
    const lacks =
      headersRead(planned).find((header) => gone.has(header)) ??
      rulesRead(planned)
        .map((rule) => lacking.get(rule))
        .find(Boolean);
    if (lacks !== undefined) lacking.set(planned.index, lacks);
  }
  return lacking;
}
