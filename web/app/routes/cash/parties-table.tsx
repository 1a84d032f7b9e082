import type { ObligationSums } from '@tapeline/db/operations/cash/obligations.ts';
import type { Reminders } from '@tapeline/db/operations/cash/reminders.ts';
import { DIFFERENCE_LABELS } from '@tapeline/domain/cash/labels.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { isZero, subtract } from '@tapeline/domain/money/decimal.ts';
import { writtenAmount } from '@tapeline/domain/money/format-figure.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { classNames } from '../../components/class-names.ts';
import { Money } from '../../components/figures/figures.tsx';
import { EN_DASH, formatCount, formatFigure } from '../../components/figures/format.ts';
import { DataTable } from '../../components/tables/data-table.tsx';
import { paths } from '../../paths.ts';
import type { ShownObligation } from './owed-table.tsx';

type Row = ShownObligation & {
  /** Whether a payment that nobody has matched likely pays it. */
  readonly isSuggested: boolean;
  readonly reminders: Reminders | null;
};

const TONES = { late: 'text-danger', suggested: 'text-accent', plain: 'text-ink-2' } as const;

/** Why less was paid than was expected. */
function reasonOf(row: Row): { text: string; tone: keyof typeof TONES } | null {
  const { state, allocated, daysLate, reason, isSuggested } = row;
  if (isZero(row.open)) return reason ? { text: `${DIFFERENCE_LABELS[reason]}, accepted`, tone: 'plain' } : null;
  if (isSuggested) return { text: 'Bank line suggested', tone: 'suggested' };
  const paid = isZero(allocated) ? 'Unpaid' : 'Partly paid';
  if (state === 'overdue') return { text: `${paid}, ${formatCount(daysLate, 'day')} late`, tone: 'late' };
  if (state === 'untracked') return { text: 'Not tracked', tone: 'plain' };
  return { text: `${paid}, ${state === 'due' ? 'due today' : 'not due'}`, tone: 'plain' };
}

/** A date of the year in which the amounts are due without its year. */
function shortDate(date: string, dueDate: string): string {
  const text = formatCalendarDate(date);
  return date.slice(0, 4) === dueDate.slice(0, 4) ? text.slice(0, -5) : text;
}

function PaidOn({ paidOn, dueDate }: Pick<Row, 'paidOn' | 'dueDate'>) {
  if (paidOn === null) return EN_DASH;
  return (
    <time dateTime={paidOn} className="figures whitespace-nowrap">
      {shortDate(paidOn, dueDate)}
    </time>
  );
}

/** What was paid less than expected; red while it is late. */
function Difference({ sum, currency, isLate }: { sum: string; currency: string; isLate: boolean }) {
  if (isZero(sum)) return <Money value={{ sum, currency }} />;
  return (
    <span className={classNames('figures whitespace-nowrap', isLate && 'text-danger')}>
      {formatFigure(sum, minorUnitDigits(currency))}
    </span>
  );
}

/** What each party of one call, distribution or draw owes or is owed, what is open first. */
export function PartiesTable({
  rows,
  totals,
  caption,
  party,
  paid,
}: {
  rows: readonly Row[];
  /** Of all that the table shows a page of. */
  totals: ObligationSums;
  caption: string;
  /** What a party is called: "Investor". */
  party: string;
  /** What paid is called: "Received" or "Paid". */
  paid: string;
}) {
  const { currency } = totals;
  const hasReminders = rows.some(({ reminders }) => reminders !== null);
  const parts = [
    [totals.difference, 'accepted'],
    [totals.overdue, 'overdue'],
    [totals.untracked, 'not tracked'],
  ] as const;
  return (
    <DataTable
      narrow="cards"
      caption={caption}
      rows={rows}
      rowKey={({ documentId }) => documentId}
      rowTo={({ documentId }) => paths.obligation(documentId, { currency })}
      columns={[
        {
          head: party,
          card: 'name',
          name: (row) => row.party,
          length: 36,
          total: formatCount(totals.count, party.toLowerCase()),
        },
        ...(isZero(totals.netted)
          ? []
          : [
              {
                head: 'Netted',
                quiet: true,
                money: ({ netted }: Row) => ({ sum: netted, currency }),
                total: { sum: totals.netted, currency },
              },
            ]),
        {
          head: 'Expected',
          money: ({ amount }) => ({ sum: amount, currency }),
          total: { sum: totals.amount, currency },
        },
        {
          head: paid,
          money: ({ allocated }) => ({ sum: allocated, currency }),
          total: { sum: totals.allocated, currency },
        },
        { head: 'Date', card: 'date', quiet: true, cell: (row) => <PaidOn {...row} /> },
        {
          head: 'Difference',
          card: 'amount',
          numeric: true,
          cell: ({ amount, allocated, state }) => (
            <Difference sum={subtract(allocated, amount)} currency={currency} isLate={state === 'overdue'} />
          ),
          total: <Difference sum={subtract(totals.allocated, totals.amount)} currency={currency} isLate={false} />,
        },
        {
          head: 'Reason',
          card: 'state',
          cell: (row) => {
            const reason = reasonOf(row);
            return reason ? (
              <span className={classNames(TONES[reason.tone], reason.tone !== 'plain' && 'font-medium')}>
                {reason.text}
              </span>
            ) : null;
          },
          total: (
            <span className="text-xs font-normal text-ink-2">
              {parts
                .filter(([sum]) => !isZero(sum))
                .map(([sum, word]) => `${writtenAmount({ sum, currency }).replace(` ${currency}`, '')} ${word}`)
                .join(', ')}
            </span>
          ),
        },
        ...(hasReminders
          ? [
              {
                head: 'Reminders',
                card: null,
                quiet: true,
                cell: ({ reminders, dueDate }: Row) =>
                  reminders ? (
                    <span className="whitespace-nowrap">
                      {`${formatFigure(reminders.count)}, on ${shortDate(reminders.latestAt.slice(0, 10), dueDate)}`}
                    </span>
                  ) : (
                    EN_DASH
                  ),
              },
            ]
          : []),
      ]}
    />
  );
}
