import { cashFlows as readCashFlows } from '@tapeline/db/operations/capital/cash-flows.ts';
import { CAPITAL_ACTION_LABELS } from '@tapeline/domain/capital/activity-statement.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { ExportColumn } from '@tapeline/lake/exports/export-table.ts';
import { linesTable } from '@tapeline/lake/exports/lines-table.ts';
import { exportResponse } from '../../commands/exports.server.ts';
import { readScreen } from '../../http/screen.server.ts';

const text = (name: string, label: string, characters = 14): Omit<ExportColumn, 'sql'> => ({
  name,
  label,
  characters,
  kind: 'text',
  type: 'VARCHAR',
});

/** Exact in the smallest unit of any currency. */
const amount = (name: string, label: string): Omit<ExportColumn, 'sql'> => ({
  name,
  label,
  kind: 'amount',
  type: 'DECIMAL(38,4)',
});

const COLUMNS: readonly Omit<ExportColumn, 'sql'>[] = [
  { name: 'date', label: 'Date', kind: 'date', type: 'DATE' },
  text('investor', 'Investor', 32),
  text('fund', 'Fund', 32),
  text('class', 'Class'),
  text('type', 'Type'),
  text('number', 'Number'),
  text('currency', 'Currency'),
  text('reference', 'Payment reference', 20),
  amount('amount', 'Amount, calls negative'),
  amount('netted', 'Netted'),
  amount('paid', 'Received or paid'),
  { name: 'paidOn', label: 'Last paid on', kind: 'date', type: 'DATE' },
  amount('open', 'Open'),
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
