import type { RuleInput } from '../rule.schema.ts';
import type { ReadColumn } from './column-shape.ts';
import type { RuleSuggestion } from './rule-suggestion.ts';

/**
 * Fields that every asset has and that rows of totals, subtotals or footnotes do not. In each line, the first field
 * whose column is filled in every sampled row becomes mandatory.
 */
const ALWAYS_THERE: readonly (readonly string[])[] = [
  ['dateFinanced', 'dates.maturityDate', 'assetStatus', 'interestRate', 'term', 'currency'],
  ['sums.outstandingSum', 'sums.outstandingPrincipal', 'sums.sum'],
];

/** Words in place of an id that show that the row is a total of other rows. */
const TOTAL_WORDS = ['Total', 'TOTAL', 'Subtotal', 'SUBTOTAL'] as const;

/**
 * Keeps rows of totals and notes below a tape from becoming assets. They have words in place of an id, or neither a
 * date nor a status, so they become errored with a reason that says so.
 * @param columnOf the column of a header
 * @param labels what the totals rows of this tape call themselves
 */
export function withGuards(
  suggestions: readonly RuleSuggestion[],
  columnOf: (header: string) => ReadColumn,
  labels: readonly string[] = [],
): RuleSuggestion[] {
  const readOf = ({ originCol }: RuleInput): ReadColumn =>
    typeof originCol === 'string' ? columnOf(originCol) : { cells: [] };
  const isFull = ({ rule }: RuleSuggestion): boolean => {
    const { cells, words = [] } = readOf(rule);
    const omitted = new Set(
      rule.serializations.flatMap((step) => (step.type === 'omit' ? step.values.map((value) => String(value)) : [])),
    );
    const isLeftOut = ({ value }: { value: string }): boolean => value.trim() === '' || omitted.has(value.trim());
    return cells.length > 0 && !cells.some(isLeftOut) && !words.some(({ value }) => omitted.has(value.trim()));
  };
  const asked = new Set(
    ALWAYS_THERE.flatMap((paths) => {
      const path = paths.find((each) =>
        suggestions.some((one) => one.isOn && one.rule.targetCol === each && isFull(one)),
      );
      return path === undefined ? [] : [path];
    }),
  );
  return suggestions.map((suggestion) => {
    const { rule, reason } = suggestion;
    if (rule.targetCol === 'assetId' && typeof rule.originCol === 'string') {
      const { cells } = readOf(rule);
      const words = [...new Set([...TOTAL_WORDS, ...labels])].filter(
        (word) => !cells.some(({ value }) => isIdWith(value, word)),
      );
      const guarded = words.length > 0 ? `${reason}; a totals row is an error` : reason;
      return { ...suggestion, rule: withValidations(rule, words), reason: guarded };
    }
    const checks = rule.checks ?? [];
    if (!asked.has(rule.targetCol) || checks.includes('Mandatory')) return suggestion;
    return {
      ...suggestion,
      rule: { ...rule, checks: [...checks, 'Mandatory'] },
      reason: `${reason}; filled in every sampled row, so a row without it is an error`,
    };
  });
}

/** What companies are called by their form. */
const COMPANY =
  /\b(llc|llp|lp|inc|ltd|limited|corp|corporation|company|co|plc|gmbh|ag|kg|sa|sas|sarl|srl|spa|bv|nv|ab|as|oy|aps)\.?$/i;

/** Whether a value is an id or a name that happens to contain the word, such as `TOTALCARE-12` or `TOTAL ELECTRIC LLC`. */
const isIdWith = (value: string, word: string): boolean =>
  value.includes(word) && (/\d|[A-Z]{2}-/.test(value) || COMPANY.test(value.trim()));

function withValidations(rule: RuleInput, words: readonly string[]): RuleInput {
  const own = rule.validations ?? [];
  const isThere = (word: string): boolean => own.some((each) => each.kind === 'notContains' && each.value === word);
  const added = words.filter((word) => !isThere(word)).map((value) => ({ kind: 'notContains' as const, value }));
  // A word that contains another added word is redundant.
  const needed = added.filter(
    ({ value }) => !added.some((other) => other.value !== value && value.includes(other.value)),
  );
  return needed.length > 0 ? { ...rule, validations: [...own, ...needed] } : rule;
}
