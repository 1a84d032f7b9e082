import { z } from 'zod';
import { calendarDateSchema } from '../../dates/calendar-date.ts';
import { sheetNameSchema } from '../rule.schema.ts';
import { attachmentSchema } from '../tape.schema.ts';

/** Headers as long as a reader of sheets keeps them. */
const headerSchema = z.string().min(1).max(1000);

const columns = {
  idColumn: headerSchema.meta({ description: 'The header of the column with the id of the loan' }),
  monthColumn: headerSchema.meta({ description: 'The header of the column with the months, or with a day of each' }),
};
export const loanMonthColumnsSchema = z.object(columns);
/** The columns that say which loan and which month a row is of. */
export type LoanMonthColumns = z.infer<typeof loanMonthColumnsSchema>;

/** POST /LTP/latestRows: a new file with the latest row of each loan. */
export const latestRowsSchema = z.strictObject({
  attachment: attachmentSchema,
  sheetName: sheetNameSchema.optional().meta({ description: 'The sheet that looks most like a tape if omitted' }),
  ...columns,
  upTo: calendarDateSchema.optional().meta({
    description: 'Rows of later days, and of months that begin later, are left out. All months if omitted',
  }),
});

const count = (description: string) => z.int().min(0).meta({ description });

/** What becomes of the rows of a sheet. */
export const latestRowCountsSchema = z.object({
  rows: count('Rows with data'),
  loans: count('Loans, each with one row: the rows that are kept'),
  later: count('Rows left out because they are later than `upTo`'),
  withoutId: count('Rows left out because they have no id'),
  withoutMonth: count('Rows left out because their month cannot be read'),
  lostLoans: count('Loans left out because no month of theirs can be read'),
  misfits: count('Rows left out because they have more fields than the header'),
  tied: count('Loans with several rows of their latest month, of which the last one in the sheet is kept'),
  behind: count('Loans whose latest row is of an earlier month than `latestMonth`, such as repaid loans'),
  latestMonth: z.object({
    text: z.string().meta({ description: 'As written in the sheet' }),
    date: calendarDateSchema.meta({ description: 'The day that is written, or the last day of the month' }),
  }),
});
export type LatestRowCounts = z.infer<typeof latestRowCountsSchema>;
