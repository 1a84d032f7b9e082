import { Link } from '@remix-run/react';
import type { LateCall } from '@tapeline/db/operations/cash/default-interest.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { isZero, sum } from '@tapeline/domain/money/decimal.ts';
import type { ReactNode } from 'react';
import { formatCount, formatFigure } from '../../components/figures/format.ts';
import { Facts, PanelSection } from '../../components/page/section.tsx';
import { DataTable, TableSection } from '../../components/tables/data-table.tsx';
import { paths } from '../../paths.ts';

const chargedOf = ({ charged }: Pick<LateCall, 'charged'>): string => sum(charged.map(({ amount }) => amount));

/** Default interest on calls that were paid late or are overdue, up to today. All are in one currency. */
export function LateInterest({ calls, title, more }: { calls: readonly LateCall[]; title: string; more?: ReactNode }) {
  const currencies = [...new Set(calls.map(({ currency }) => currency))];
  return currencies.map((currency) => {
    const rows = calls.filter((call) => call.currency === currency);
    return (
      <TableSection
        key={currency}
        title={title}
        note={`${currency}, up to today`}
        more={more}
        narrow="list"
        rows={rows}
        rowKey={({ documentId }) => documentId}
        rowTo={({ documentId }) => paths.obligation(documentId, { currency })}
        columns={[
          { head: 'Investor', name: ({ party }) => party ?? 'Not visible to you', length: 36 },
          { head: 'Call', cell: ({ callNumber }) => callNumber },
          { head: 'Due', date: ({ dueDate }) => dueDate },
          { head: 'Interest', money: ({ total }) => total, total: sum(rows.map(({ total }) => total)) },
          { head: 'In other calls', money: chargedOf, total: sum(rows.map(chargedOf)) },
          { head: 'Not charged', money: ({ rest }) => rest, total: sum(rows.map(({ rest }) => rest)) },
        ]}
      />
    );
  });
}

/** How the default interest on one call of an investor comes about, to be followed with a calculator. */
export function InterestPieces({ late }: { late: LateCall }) {
  const { pieces, total, terms, currency, charged, rest } = late;
  const { ratePercent, graceDays, dayCount } = terms;
  const grace = graceDays === 0 ? 'from the due date' : `after ${formatCount(graceDays, 'day')} of grace`;
  return (
    <PanelSection
      title="Default interest"
      note={`${ratePercent}% a year ${grace}, ${dayCount}; the total is rounded once`}
    >
      <DataTable
        narrow="list"
        caption="Default interest"
        rows={pieces}
        rowKey={({ from }) => from}
        columns={[
          { head: 'From', date: ({ from }) => from, total: 'Up to today' },
          { head: 'To', date: ({ to }) => to },
          { head: `Open (${currency})`, money: ({ open }) => open },
          { head: 'Days', numeric: true, cell: ({ days }) => formatFigure(days) },
          {
            head: `Interest (${currency})`,
            numeric: true,
            cell: ({ amount }) => formatFigure(amount),
            total: formatFigure(total),
          },
        ]}
      />
      {charged.length === 0 && isZero(rest) ? null : (
        <div className="border-t border-line p-3.5">
          <Facts
            items={[
              ...charged.map(({ activityId, callNumber, isDraft, until, amount }) => ({
                label: `Up to ${formatCalendarDate(until)}`,
                value: (
                  <>
                    {`${formatFigure(amount)} ${currency} in `}
                    <Link to={paths.capitalCall(activityId)} className="tap-text text-accent hover:underline">
                      {`${isDraft ? 'draft ' : ''}call ${callNumber}`}
                    </Link>
                  </>
                ),
              })),
              { label: 'Not charged', value: `${formatFigure(rest)} ${currency}` },
            ]}
          />
        </div>
      )}
    </PanelSection>
  );
}
