import { cashFlows as readCashFlows } from '@tapeline/db/operations/capital/cash-flows.ts';
import { CAPITAL_ACTION_LABELS } from '@tapeline/domain/capital/activity-statement.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import {
  amountOfLine,
  dateOfLine,
  type LineColumn,
  linesTable,
  textOfLine,
} from '@tapeline/lake/exports/lines-table.ts';
import { exportResponse } from '../../commands/exports.server.ts';
import { readScreen } from '../../http/screen.server.ts';

const COLUMNS: readonly LineColumn[] = [
  dateOfLine('date', 'Date'),
  textOfLine('investor', 'Investor', 32),
  textOfLine('fund', 'Fund', 32),
  textOfLine('class', 'Class', 14),
  textOfLine('type', 'Type', 14),
  textOfLine('number', 'Number', 14),
  textOfLine('currency', 'Currency', 14),
  textOfLine('reference', 'Payment reference', 20),
  amountOfLine('amount', 'Amount, calls negative'),
  amountOfLine('netted', 'Netted'),
  amountOfLine('paid', 'Received or paid'),
  dateOfLine('paidOn', 'Last paid on'),
  amountOfLine('open', 'Open'),
];

/**
 * Every payment between investors and funds as CSV or as an Excel workbook, one per line: of the signed-in investor, or of
 * all that a manager can see, of `fund` or of `investor`.
 */
export const loader = readScreen('LPs/commitments/read', async (screen) => {
  const { format } = screen.params;
  if (format !== 'csv' && format !== 'xlsx') throw new Refusal('notFound');
  const { searchParams } = screen.url;
  const { cashFlows, cutOffDate } = await screen.db((session) =>
    readCashFlows(session, {
      fundId: searchParams.get('fund') ?? undefined,
      investorId: searchParams.get('investor') ?? undefined,
    }),
  );
  const lines = cashFlows.map(
    ({ date, investorTitle, fundTitle, className, actionType, title, currency, reference, amount: sum, paid }) => [
      date,
      investorTitle,
      fundTitle,
      className,
      CAPITAL_ACTION_LABELS[actionType],
      title,
      currency,
      reference,
      sum,
      paid?.netted ?? null,
      paid?.allocated ?? null,
      paid?.paidOn ?? null,
      paid?.open ?? null,
    ],
  );
  const name = `cash-flows-${cutOffDate}`;
  return exportResponse(screen, linesTable(COLUMNS, lines), { format, name, sheetName: 'Cash flows' });
});
