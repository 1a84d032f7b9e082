import { formatCalendarDate } from '../dates/calendar-date.ts';
import type { Check, MappingRule, Validation } from './rule.schema.ts';
import type { Serialization } from './serialization.schema.ts';

const DATE_WORDS = {
  ISO: 'a date as 2026-10-31',
  american: 'a date as 10/31/2026',
  excel: 'a date',
  timestampMilliseconds: 'a timestamp in milliseconds',
  timestampSeconds: 'a timestamp in seconds',
} as const;
const SHARE_WORDS = { zeroTo100: 'percent: 5 = 5%', zeroTo1: 'decimal: 0.05 = 5%' } as const;

const inUnit = (unit: string): string => (unit === 'scalar' ? '' : `, in ${unit}`);

/** Describes what a conversion accepts; null for a step that says nothing about the cell. */
function cellWords(step: Serialization): string | null {
  switch (step.type) {
    case 'number':
      return `a number${inUnit(step.unit)}`;
    case 'boolean':
      return 'yes or no';
    case 'date':
      return DATE_WORDS[step.format];
    case 'percentage':
    case 'SerializedPercentage':
    case 'SerializedInterest':
      return SHARE_WORDS[step.scale];
    case 'SerializedSum':
      return `an amount${step.currency ? ` in ${step.currency}` : ''}${inUnit(step.unit)}`;
    case 'SerializedTerm':
      return `a number of ${step.unit}`;
    case 'distance':
      return `a distance in ${step.unit}`;
    case 'weight':
      return `a length in ${step.unit}`;
    case 'assetStatus':
      return 'a status, such as Current or Charged off';
    case 'switchCase': {
      const known = step.cases.flatMap(({ equals }) => equals).filter((value) => value !== null);
      const shown = known
        .slice(0, 6)
        .map((value) => `“${value}”`)
        .join(', ');
      return step.default === undefined ? `one of ${shown}${known.length > 6 ? ' and others' : ''}` : null;
    }
    default:
      return null;
  }
}

const EXPECTED_BY_CHECK: Readonly<Record<Check, string | null>> = {
  Mandatory: 'not blank',
  Unique: 'unique in the tape',
  Consistent: 'same as on the earlier tape',
  Temporary: null,
};

/** What a validation requires, within a sentence: "at least 0", "not before 1 Jan 2000". */
export function describeBound(validation: Validation): string {
  switch (validation.kind) {
    case 'minNumber':
      return `at least ${validation.value}`;
    case 'maxNumber':
      return `at most ${validation.value}`;
    case 'minDate':
      return `not before ${formatCalendarDate(validation.value)}`;
    case 'maxDate':
      return `not after ${formatCalendarDate(validation.value)}`;
    case 'mustContains':
      return `contains “${validation.value}”`;
    case 'notContains':
      return `does not contain “${validation.value}”`;
    case 'mustBeTrue':
      return 'must be yes';
    case 'mustBeFalse':
      return 'must be no';
    case 'minLength':
      return `at least ${validation.value} characters`;
    case 'maxLength':
      return `at most ${validation.value} characters`;
  }
}

/**
 * Describes what a rule expects of its cell, for the person who corrects it: "An amount in USD; not blank; at least 0".
 * Bounds refer to the rule's result. Empty if the rule accepts anything.
 */
export function expectationOf({ serializations, checks, validations }: MappingRule): string {
  const first = serializations.map(cellWords).find((words) => words !== null);
  const words = [
    ...(first ? [first] : []),
    ...checks.flatMap((check) => EXPECTED_BY_CHECK[check] ?? []),
    ...validations.map(describeBound),
  ].join('; ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What the rules expect of each column of the sheet, by header. */
export function expectationsByHeader(rules: readonly MappingRule[]): ReadonlyMap<string, string> {
  const byHeader = new Map<string, Set<string>>();
  for (const rule of rules) {
    const words = expectationOf(rule);
    if (rule.originCol === null || words === '') continue;
    byHeader.set(rule.originCol, (byHeader.get(rule.originCol) ?? new Set()).add(words));
  }
  return new Map([...byHeader].map(([header, words]) => [header, [...words].join('. ')]));
}
