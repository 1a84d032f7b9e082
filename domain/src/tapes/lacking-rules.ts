import { fieldsOf } from '../filters/filter.ts';
import type { MappingPlan } from './mapping-plan.ts';
import type { PlannedRule } from './planned-rule.ts';

interface Reads {
  readonly headers: readonly string[];
  /** Positions of other rules in the mapping. */
  readonly rules: readonly number[];
}

/** What a rule reads: headers of the tape, and results of earlier rules. */
function readsOf({ header, steps }: PlannedRule): Reads {
  const headers = header === null ? [] : [header];
  const rules: number[] = [];
  for (const { columns, filter } of steps) {
    for (const source of columns.values()) {
      if (source.from === 'origin') headers.push(source.header);
      else rules.push(source.rule);
    }
    for (const { path } of filter ? fieldsOf(filter) : []) {
      if (path.startsWith('origin.')) headers.push(path.slice('origin.'.length));
      else rules.push(Number(path.split('.')[1]));
    }
  }
  return { headers, rules };
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
    const { headers, rules } = readsOf(planned);
    const lacks = headers.find((header) => gone.has(header)) ?? rules.map((rule) => lacking.get(rule)).find(Boolean);
    if (lacks !== undefined) lacking.set(planned.index, lacks);
  }
  return lacking;
}
