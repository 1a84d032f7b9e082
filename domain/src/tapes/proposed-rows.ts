import { Refusal } from '../errors/refusal.ts';
import { changedCells, type RowCorrection } from './corrections.schema.ts';
import { failingColumns } from './failing-columns.ts';
import type { MappingPlan } from './mapping-plan.ts';
import {
  MAX_PROPOSED_CHARACTERS,
  MAX_PROPOSED_ROWS,
  MAX_REASON_CHARACTERS,
  type ProposedRow,
  proposalTooLarge,
} from './proposal.schema.ts';
import { type ErroredRow, summarizeProblems } from './tape.schema.ts';

/**
 * Compares a borrower's corrections with the current errored rows: only cells that made a row fail can change.
 * Corrections that change nothing are left out.
 * @throws Refusal badRequest with a flag at each cell that must not change; also if nothing changes, or too much does
 */
export function proposedRows(
  corrections: readonly RowCorrection[],
  errored: readonly ErroredRow[],
  plan: MappingPlan,
): ProposedRow[] {
  if (corrections.length > MAX_PROPOSED_ROWS) throw proposalTooLarge();
  const rows = new Map(errored.map((row) => [row.row, row]));
  const flags: Record<string, string> = {};
  const proposed = corrections.flatMap(({ row, cells }, index): ProposedRow[] => {
    const found = rows.get(row);
    if (!found) {
      flags[`assets.${index}`] = 'is not an errored row of this tape';
      return [];
    }
    const allowed = failingColumns(found, plan);
    const changed = changedCells(cells, found.origin);
    for (const header of Object.keys(changed)) {
      if (!Object.hasOwn(found.origin, header)) {
        flags[`assets.${index}.originData.${header}`] = 'is not a column of the tape';
      } else if (!allowed.has(header)) {
        flags[`assets.${index}.originData.${header}`] =
          `is not an error in row ${row}: you can change ${[...allowed].join(', ') || 'no cells of this row'}`;
      }
    }
    const reasons = summarizeProblems(found.errors).slice(0, MAX_REASON_CHARACTERS);
    return Object.keys(changed).length === 0 ? [] : [{ row, cells: changed, reasons }];
  });
  const [first] = Object.entries(flags);
  if (first) {
    const [path, reason] = first;
    const name = path.replace(/^assets\.\d+(\.originData\.)?/, '') || 'A row';
    throw new Refusal(
      'badRequest',
      `Borrowers can change only the cells that caused a row to fail. ${name} ${reason}.`,
      {
        flags,
      },
    );
  }
  if (proposed.length === 0) {
    throw new Refusal('badRequest', 'The correction does not change any cell');
  }
  if (JSON.stringify(proposed).length > MAX_PROPOSED_CHARACTERS) throw proposalTooLarge();
  return proposed;
}
