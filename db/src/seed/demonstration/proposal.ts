import { makeNorthwindTapes } from './northwind-tapes.ts';
import { NORTHWIND_COMPANY } from './portfolio.ts';
import type { TapeCell } from './tape-sheet.ts';

/** The user who proposes: the borrower of the tape's company. */
export const BORROWER_EMAIL = 'borrower@tapeline.test';

/** A correction that the demonstration's borrower proposes on its last tape. */
export interface DemonstrationProposal {
  readonly company: string;
  readonly cutOffDate: string;
  /** 1-based row of the sheet. */
  readonly row: number;
  readonly header: string;
  readonly value: number;
  readonly comment: string;
}

const BALANCE = 'Principal Balance';

/** The first row of Northwind's last tape whose balance is text, with the balance that its other columns imply. */
export function demonstrationProposal(): DemonstrationProposal {
  const { sheet, problems } = makeNorthwindTapes().at(-1)!;
  const problem = problems.find(({ kind }) => kind === 'text in an amount');
  const cells = sheet.rows[problem?.row ?? -1];
  if (!problem || !cells) throw new Error('the last tape of the demonstration has no balance in words');
  const cell = (header: string): TapeCell =>
    cells[sheet.columns.findIndex((column) => column.header === header)] ?? null;
  const value = Math.round((Number(cell('Original Amount')) - Number(cell('Principal Paid'))) * 100) / 100;
  return {
    company: NORTHWIND_COMPANY,
    cutOffDate: sheet.cutOffDate,
    row: sheet.titleRows.length + 2 + problem.row,
    header: BALANCE,
    value,
    comment: `The servicer confirmed the balance of ${cell('Loan ID')} at the cut-off date: original amount less principal paid.`,
  };
}
