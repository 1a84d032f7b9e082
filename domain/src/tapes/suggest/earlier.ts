import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { headerKey } from '../headers.ts';
import { orderedDate } from '../ordered-dates.ts';
import { plainFigure } from '../plain-figure.ts';
import type { MappingRule, RuleInput } from '../rule.schema.ts';
import type { Serialization } from '../serialization.schema.ts';
import { addStatusWords, knowsStatus, readStatusSteps } from '../status-words.ts';
import { resolveTarget } from '../target-schema.ts';
import { type HeadedColumn, summarizeColumn } from './column-shape.ts';
import type { ColumnSummary, SampleCell } from './column-summary.ts';
import { writtenDate } from './dates.ts';
import { statusMeant } from './statuses.ts';
import { readValues, ruleOf, type TapeEvidence } from './steps.ts';
import { TARGET_NAMES } from './target-synonyms.ts';

/**
 * Earlier rules that read one header of this tape and nothing else. A column can have several: all rules of the latest
 * mapping that reads it.
 */
export function earlierRules<Column extends HeadedColumn>(
  columns: readonly Column[],
  earlier: readonly (readonly MappingRule[])[],
): { column: Column; rule: MappingRule }[] {
  const byHeader = new Map(columns.map((column) => [headerKey(column.header), column]));
  const found = new Map<Column, MappingRule[]>();
  for (const rules of earlier) {
    const ofMapping = new Map<Column, MappingRule[]>();
    for (const rule of rules) {
      const column = rule.originCol === null ? undefined : byHeader.get(headerKey(rule.originCol));
      if (!column || rule.checks.includes('Temporary') || usesOthers(rule)) continue;
      ofMapping.set(column, [...(ofMapping.get(column) ?? []), { ...rule, originCol: column.header }]);
    }
    for (const [column, own] of ofMapping) if (!found.has(column)) found.set(column, own);
  }
  return [...found].flatMap(([column, rules]) => rules.map((rule) => ({ column, rule })));
}

export const usesOthers = (rule: MappingRule): boolean =>
  rule.serializations.some((step) => step.type === 'ifStatement' || JSON.stringify(step).includes('"column'));

/** An earlier rule adapted to this tape. */
export interface KeptRule {
  readonly rule: RuleInput;
  readonly confidence: number;
  readonly reason: string;
}

/** A rule that was right before is right again, unless most values contradict it. */
const SURE = 0.98;
const CHANGED = 0.8;
/** If a rule can read less than this share of the values, their form has changed. */
const MIN_READABLE = 0.5;
/** Up to this share, values that cannot be read are errors of the tape. */
const FEW = 0.02;

/**
 * Applies a rule of an earlier mapping to a column of this tape. The rule is unchanged if the values are still written
 * the same way, gets cases for new status words, and is suggested again if the values are clearly in another form.
 */
export function keepRule(column: HeadedColumn, rule: MappingRule, facts: TapeEvidence): KeptRule {
  const mapped = `"${column.header}" was mapped this way in the borrower’s earlier mapping`;
  const summary = summarizeColumn(column);
  const added = withNewStatuses(rule, summary);
  if (added !== null) {
    const words = added.words.map(({ value, count }) => `${value} (${count})`).join(', ');
    return { rule: added.rule, confidence: CHANGED, reason: `${mapped}; new words are added: ${words}` };
  }
  const resolved = resolveTarget(rule.targetCol);
  const names = TARGET_NAMES.find(({ path }) => resolved.kind === 'field' && path === resolved.path);
  const readable = shareReadable(rule, summary);
  if (names && readable !== null && readable < MIN_READABLE) {
    const reading = readValues(summary, names, column.header, facts);
    if ((reading.fit.share ?? 0) >= 0.9) {
      const { validations, remainOriginCol } = rule;
      return {
        rule: { ...ruleOf(column.header, rule.targetCol, reading, rule.checks), validations, remainOriginCol },
        confidence: CHANGED,
        reason: `${mapped}, but its values now have a different format: ${reading.fit.words}`,
      };
    }
  }
  const same = { ...rule, sequence: undefined };
  if (readable === null || readable > 1 - FEW) return { rule: same, confidence: SURE, reason: mapped };
  const failing = summary.filled.length - Math.round(readable * summary.filled.length);
  return {
    rule: same,
    confidence: Math.round(SURE * readable * 100) / 100,
    reason: `${mapped}, but ${failing} of ${summary.filled.length} values can no longer be read`,
  };
}

/**
 * The rule with cases for words of this tape that its switch does not know and that mean a status; null if there are
 * none.
 */
function withNewStatuses(
  rule: MappingRule,
  summary: ColumnSummary,
): { rule: RuleInput; words: ColumnSummary['words'] } | null {
  const read = readStatusSteps(rule.serializations);
  if (read === null) return null;
  const words = summary.words.filter(({ value }) => !knowsStatus(read, value) && statusMeant(value, false) !== null);
  const changed = addStatusWords(
    read,
    words.map(({ value }) => ({ word: value, status: statusMeant(value, false)! })),
  );
  return changed === null ? null : { rule: { ...rule, sequence: undefined, serializations: changed }, words };
}

/**
 * The share of a column's values that a single-conversion rule reads; null for longer rules, which a person wrote on
 * purpose.
 */
function shareReadable(rule: MappingRule, { filled }: ColumnSummary): number | null {
  const steps = rule.serializations.filter(({ type }) => type !== 'omit' && type !== 'trim');
  const [step] = steps;
  if (!step || steps.length > 1 || filled.length === 0) return null;
  const reads = readerOf(step);
  return reads === null ? null : filled.filter(reads).length / filled.length;
}

function readerOf(step: Serialization): ((cell: SampleCell) => boolean) | null {
  switch (step.type) {
    case 'date':
      return (cell) => {
        if (cell.tag === CellTag.date) return true;
        if (step.order && (cell.tag === CellTag.text || step.format === 'ISO')) {
          return orderedDate(cell.value, step.order, step.firstYear) !== null;
        }
        const date = writtenDate(cell);
        if (step.format === 'ISO') return date?.written === 'iso';
        if (step.format === 'american') {
          return date?.written === 'numeric' && date.separator === '/' && date.yearDigits === 4 && date.first <= 12;
        }
        return cell.tag === CellTag.number || isPlainNumber(cell.value);
      };
    case 'number':
    case 'SerializedSum':
    case 'SerializedInterest':
    case 'percentage':
    case 'SerializedPercentage':
      return (cell) =>
        cell.tag === CellTag.number || (cell.tag === CellTag.text && isPlainNumber(plainFigure(cell.value, step)));
    case 'SerializedTerm':
      return (cell) =>
        cell.tag === CellTag.number ||
        isPlainNumber(plainFigure(cell.value.replace(/(day|week|month|quarter|year)s?\s*$/i, ''), step));
    default:
      return null;
  }
}

/** Whether a conversion can read a text unchanged. */
const isPlainNumber = (text: string): boolean =>
  /^[+-]?(\d{1,3}(,\d{3})+|\d+)?\.?\d*$/.test(text.replace(/[%\s\u00a0]/g, '')) && /\d/.test(text);
