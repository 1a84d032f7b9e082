import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import type { Check, MappingRule } from '../rule.schema.ts';
import type { SerializationInput } from '../serialization.schema.ts';
import { type HeadedColumn, summarizeColumn } from './column-shape.ts';
import { usesOthers } from './earlier.ts';
import { chooseId } from './ids.ts';
import type { RuleSuggestion } from './rule-suggestion.ts';
import { readStatuses, statusMeant } from './statuses.ts';
import { readValues } from './steps.ts';

/** A column that is different in every row of a tape is its id as often as this, a combination of columns a little less. */
const SINGLE_ID = 0.7;
const JOINED_ID = 0.65;

/** Row numbers are unique, but mean nothing on another tape. */
const ROW_ID = 0.6;

/** @param mayBeRow whether the number of the row may be the id if nothing else is */
export function idRule(
  columns: readonly HeadedColumn[],
  used: ReadonlySet<HeadedColumn>,
  mayBeRow: boolean,
): RuleSuggestion | null {
  const choice = chooseId(columns, (column) => used.has(column));
  if (!choice || (choice.columns.length === 0 && !mayBeRow)) return null;
  const [first, ...others] = choice.columns;
  const parts = others.map(({ header }) => ({ column: header }));
  const rule = { originCol: first?.header ?? null, targetCol: 'assetId', checks: ['Mandatory', 'Unique'] as Check[] };
  const suggestion = { reason: choice.reason, isOn: true };
  if (!first) {
    return { ...suggestion, rule: { ...rule, serializations: [{ type: 'rowNumber' }] }, confidence: ROW_ID };
  }
  if (parts.length === 0) {
    return { ...suggestion, rule: { ...rule, serializations: [{ type: 'text' }] }, confidence: SINGLE_ID };
  }
  const joined: SerializationInput[] = [
    { type: 'text' },
    { type: 'concat', parts, separator: ' / ' },
    { type: 'trim' },
  ];
  return {
    ...suggestion,
    rule: { ...rule, serializations: joined, onDuplicate: 'numbered' },
    confidence: JOINED_ID,
  };
}

/** Days per month, if only months past due are counted. */
const DAYS_A_MONTH = 30;

/** Second rules on columns that another rule already reads: days past due from a status that counts months. */
export function secondRules(
  columns: readonly HeadedColumn[],
  taken: ReadonlySet<string>,
  suggestions: readonly RuleSuggestion[],
): RuleSuggestion[] {
  const second: RuleSuggestion[] = [];
  const status = suggestions.find(({ rule, isOn }) => isOn && rule.targetCol === 'assetStatus');
  const column = columns.find(({ header }) => header === status?.rule.originCol);
  if (column && !taken.has('daysPastDue')) {
    const summary = summarizeColumn(column);
    if (readStatuses(summary, column.header).isMonthsPastDue) {
      const words = summary.distinct.flatMap(({ value }) => (/^\d+$/.test(value) ? [] : [value]));
      const omitted = [...new Set([...summary.missing, ...words])];
      second.push({
        rule: {
          originCol: column.header,
          targetCol: 'daysPastDue',
          serializations: [
            ...(omitted.length > 0 ? [{ type: 'omit' as const, values: omitted }] : []),
            { type: 'number' },
            { type: 'multiply', value: DAYS_A_MONTH },
          ],
        },
        confidence: 0.6,
        reason: `"${column.header}" counts months past due, converted at ${DAYS_A_MONTH} days each`,
        isOn: true,
      });
    }
  }
  return second;
}

/** The asset type of every row if no column gives it: as in the company's earlier mapping, or else a loan. */
export function assetTypeRule(
  suggestions: readonly RuleSuggestion[],
  earlier: readonly (readonly MappingRule[])[],
): RuleSuggestion[] {
  if (earlier.some((rules) => rules.length > 0)) {
    const before = earlier
      .flat()
      .find((rule) => rule.originCol === null && rule.targetCol === 'assetType' && !usesOthers(rule));
    const reason = 'This borrower’s earlier mapping sets this value for every row';
    return before ? [{ rule: { ...before, sequence: undefined }, confidence: 0.98, reason, isOn: true }] : [];
  }
  if (!suggestions.some(({ rule }) => rule.targetCol === 'assetId')) return [];
  return [
    {
      rule: {
        originCol: null,
        targetCol: 'assetType',
        // biome-ignore lint/suspicious/noThenProperty: `then` is part of the contract; a case is never awaited
        serializations: [{ type: 'switchCase', cases: [{ equals: null, then: 'loan' }] }],
      },
      confidence: 0.6,
      reason: 'No column gives the asset type, so every row is a loan; change this for investments',
      isOn: true,
    },
  ];
}

const SOUND: ReadonlySet<string> = new Set(['current', 'performingAsset']);
const UNSOUND: ReadonlySet<string> = new Set(['pastDue', 'delinquent', 'default', 'chargedOff', 'nonPerformingAsset']);

/** A column whose name gives no hint, but whose every word means a status: some sound, some not. */
export function statusByWords(columns: readonly HeadedColumn[]) {
  for (const column of columns) {
    const summary = summarizeColumn(column);
    if (summary.filled.some(({ tag }) => tag !== CellTag.text)) continue;
    const meant = new Set(summary.words.map(({ value }) => statusMeant(value, false)));
    const isAny = (statuses: ReadonlySet<string>): boolean => [...meant].some((each) => each && statuses.has(each));
    // "State" may be one of the country or one of the loan.
    const isNamed = meant.size > 1 && /stat/i.test(column.header);
    if (meant.has(null) || !isAny(SOUND) || !(isNamed || isAny(UNSOUND))) continue;
    const reading = readValues(summary, { shape: 'status' }, column.header);
    const reason = `"${column.header}" does not have a status header, but all its values are statuses; ${reading.fit.words}`;
    return { column, reading, reason, confidence: 0.6 };
  }
  return null;
}
