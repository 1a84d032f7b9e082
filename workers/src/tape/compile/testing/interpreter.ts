import { NAMED_VALUE, namedValue } from '@tapeline/domain/tapes/cell-reasons.ts';
import { type MappingPlan, remainingField, rulesRead } from '@tapeline/domain/tapes/mapping-plan.ts';
import { leavesEmpty } from '@tapeline/domain/tapes/rule.schema.ts';
import { hasUnread } from '@tapeline/domain/tapes/target-schema.ts';
import { unreadColumn } from '@tapeline/domain/tapes/unread-column.ts';
import { LONGEST_QUOTE } from '../mapping-compiler.ts';
import { REASONS } from '../values.ts';
import {
  BLANK,
  type Cell,
  columnsOf,
  type Held,
  type InterpreterFacts,
  isMissing,
  missing,
  NOTHING,
  type Plain,
  Problem,
} from './held.ts';
import { seen } from './plain-cells.ts';
import { fitTarget } from './plain-conversions.ts';
import { RowReader } from './plain-steps.ts';
import { violation } from './plain-validations.ts';

export interface InterpretedRow {
  /** Lake column to value, without `row`. Null if the row is errored. */
  readonly asset: Record<string, Plain> | null;
  readonly errors: { rule: number; reason: string }[];
}

/**
 * Applies the mapping row by row, in plain TypeScript. The compiled SQL must give the same results. Slow and simple on
 * purpose. Decimals are text, dates are 'YYYY-MM-DD', missing is null.
 */
export function interpretRow(
  plan: MappingPlan,
  cells: Readonly<Record<string, Cell>>,
  facts: InterpreterFacts,
  /** Its number in the sheet. */
  rowNumber: number,
): InterpretedRow {
  const made = new Map<number, Held>();
  const outputs = new Map<number, Held>();
  const errors: { rule: number; reason: string }[] = [];
  /** By rule: why its cell could not be read, which leaves the field empty. */
  const unread = new Map<number, string>();
  /** The same for Temporary results, without the cell. */
  const temporary = new Map<number, { header: string | null; reason: string }>();
  for (const planned of plan.rules) {
    const row = new RowReader(cells, made, facts, rowNumber);
    let held: Held = planned.header === null ? NOTHING : { kind: 'cell', data: row.cell(planned.header) };
    let reason: string | null = null;
    for (const step of planned.steps) {
      try {
        held = row.step(step, held);
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        reason ??= problem.message;
        held = missing(step.output);
      }
    }
    if (reason === null && !planned.temporary) {
      try {
        held = fitTarget(planned, held, facts.epoch);
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        reason = problem.message;
        held = { ...held, data: null };
      }
    }
    if (reason === null && leavesEmpty(planned.rule) && isMissing(held)) {
      const [cause] = rulesRead(planned).flatMap((index) => temporary.get(index) ?? []);
      if (cause) {
        const isOther = cause.header !== planned.header;
        reason = `${isOther && cause.header !== null ? namedValue(cause.header) : ''}${cause.reason}`;
      }
    }
    if (reason !== null && leavesEmpty(planned.rule)) {
      if (planned.temporary) temporary.set(planned.index, { header: planned.header, reason });
      unread.set(planned.index, afterCell(planned.header === null ? null : row.cell(planned.header), reason, facts));
      reason = null;
      held = missing(held.kind);
    }
    if (reason === null && planned.rule.checks.includes('Mandatory') && isMissing(held)) reason = REASONS.missing;
    if (reason !== null) errors.push({ rule: planned.index + 1, reason });
    for (const validation of planned.rule.validations) {
      const broken = reason === null ? violation(validation, held) : null;
      if (broken) errors.push({ rule: planned.index + 1, reason: broken });
    }
    outputs.set(planned.index, held);
    made.set(planned.index, reason === null ? held : missing(held.kind));
  }
  return { asset: errors.length > 0 ? null : assetOf(plan, { outputs, unread }, cells, facts), errors };
}

/** A reason behind the cell that it is about, as errors have it. */
function afterCell(cell: Cell | null, reason: string, { epoch }: InterpreterFacts): string {
  const shown = cell && seen(cell, epoch);
  if (shown === null || reason.startsWith(NAMED_VALUE)) return reason;
  const letters = [...shown];
  return `"${letters.length > LONGEST_QUOTE ? `${letters.slice(0, LONGEST_QUOTE).join('')}…` : shown}" ${reason}`;
}

function assetOf(
  plan: MappingPlan,
  { outputs, unread }: { outputs: ReadonlyMap<number, Held>; unread: ReadonlyMap<number, string> },
  cells: Readonly<Record<string, Cell>>,
  facts: InterpreterFacts,
): Record<string, Plain> {
  const asset: Record<string, Plain> = {};
  const byPath = new Map(plan.rules.filter((rule) => !rule.temporary).map((rule) => [rule.target.path, rule]));
  for (const field of plan.fields) {
    const rule = byPath.get(field.path);
    if (rule) {
      columnsOf(outputs.get(rule.index) ?? NOTHING).forEach((value, at) => {
        const column = field.columns[at];
        if (column) asset[column.name] = value;
      });
      if (hasUnread(field)) asset[unreadColumn(field.path)] = unread.get(rule.index) ?? null;
      for (const column of field.columns) asset[column.name] ??= null;
    }
  }
  for (const { rule, header } of plan.rules) {
    if (!rule.remainOriginCol || header === null) continue;
    asset[remainingField(header).path] = seen(cells[header] ?? BLANK, facts.epoch);
  }
  return asset;
}
