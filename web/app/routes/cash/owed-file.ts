import { listObligations } from '@tapeline/db/operations/cash/obligations.ts';
import { DIFFERENCE_LABELS, obligationStateLabel } from '@tapeline/domain/cash/labels.ts';
import { isId } from '@tapeline/domain/documents/id.ts';
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
import { owedName } from './owed-lines.ts';
import { shownObligation } from './owed-table.tsx';

const COLUMNS: readonly LineColumn[] = [
  textOfLine('party', 'Investor or borrower', 32),
  textOfLine('reference', 'Payment reference', 20),
  dateOfLine('due', 'Due'),
  textOfLine('currency', 'Currency', 14),
  amountOfLine('netted', 'Netted'),
  amountOfLine('expected', 'Expected'),
  amountOfLine('paid', 'Received or paid'),
  dateOfLine('paidOn', 'Last paid on'),
  amountOfLine('difference', 'Closed without a payment'),
  textOfLine('reason', 'Reason', 20),
  amountOfLine('open', 'Open'),
  textOfLine('state', 'State', 14),
];

/** What the parties of a call, a distribution, a draw or an invoice owe or are owed, what is open first, as CSV or as an Excel workbook. */
export const loader = readScreen('contributions/read', async (screen) => {
  const { format } = screen.params;
  const { searchParams } = screen.url;
  const activity = searchParams.get('activity');
  const currency = searchParams.get('currency') ?? undefined;
  if ((format !== 'csv' && format !== 'xlsx') || !isId(activity) || screen.actor.lpIds.length > 0)
    throw new Refusal('notFound');
  const { obligations } = await screen.db((session) =>
    listObligations(session, { currency, activity, isOpenFirst: true }),
  );
  const [first] = obligations;
  if (!first) throw new Refusal('notFound');
  const lines = obligations
    .map(shownObligation)
    .map((one) => [
      one.party,
      one.reference,
      one.dueDate,
      one.currency,
      one.netted,
      one.amount,
      one.allocated,
      one.paidOn,
      one.difference,
      one.reason ? DIFFERENCE_LABELS[one.reason] : null,
      one.open,
      obligationStateLabel(one),
    ]);
  const name = owedName(first);
  return exportResponse(screen, linesTable(COLUMNS, lines), {
    format,
    name: name.toLowerCase().replaceAll(' ', '-'),
    sheetName: name,
  });
});
