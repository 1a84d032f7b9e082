import { Form } from '@remix-run/react';
import type { InvestorFees } from '@tapeline/db/operations/capital/fees.ts';
import { coverageText } from '@tapeline/domain/capital/coverage.ts';
import type { FeeBasis, FeeLine } from '@tapeline/domain/capital/investor-fees.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { firstFew } from '@tapeline/domain/errors/first-few.ts';
import { Money, Unknown } from '../../../components/figures/figures.tsx';
import { formatCount } from '../../../components/figures/format.ts';
import { Button, LinkButton } from '../../../components/forms/button.tsx';
import { inputClass } from '../../../components/forms/fields.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { KeyFigures } from '../../../components/page/key-figures.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { Pagination } from '../../../components/page/pagination.tsx';
import { MoreLink, PanelSection } from '../../../components/page/section.tsx';
import { type Column, DataTable, TableSection } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';
import { type FeePage, feePath, type ReadFees as Read, type ShownFees } from './fee-page.ts';
import { SuccessFeeSections } from './fee-waterfall.tsx';
import { ROWS_PER_TAB } from './tabs.ts';

const BASIS_NAMES: Record<FeeBasis, string> = {
  committed: 'Committed capital',
  invested: 'Invested capital',
  assets: 'Gross NAV',
  netAssets: 'Net NAV',
  interestIncome: 'Interest distributed',
  minimum: 'Missing to the minimum',
  waiver: 'Waived',
  offset: 'Offset by fees of borrowers',
};

const periodText = ({ from, until }: Read['period']) => `${formatCalendarDate(from)} to ${formatCalendarDate(until)}`;

/** The days of the fee, in the address: a plain form. */
function PeriodForm({ page, period }: { page: FeePage; period: Read['period'] }) {
  return (
    <Form method="get" preventScrollReset className="flex flex-wrap items-end gap-x-3 gap-y-2">
      <input type="hidden" name="view" value="terms" />
      {page.date === page.today ? null : <input type="hidden" name="date" value={page.date} />}
      {(
        [
          ['from', 'First day of the fee', period.from],
          ['until', 'Last day of the fee', period.until],
        ] as const
      ).map(([name, label, value]) => (
        <label key={name} className="flex flex-col gap-1 text-xs text-ink-2">
          {label}
          <input type="date" name={name} key={value} defaultValue={value} required className={inputClass('w-40')} />
        </label>
      ))}
      <Button type="submit">Calculate</Button>
    </Form>
  );
}

function Totals({ page, fees, period }: { page: FeePage; fees: ShownFees; period: Read['period'] }) {
  const { total } = fees;
  const { known } = total;
  const { currency } = page;
  return (
    <KeyFigures
      label="Fees of the period"
      figures={[
        {
          label: 'Management fee',
          value: <Money value={known.management} zero="figure" unknown="Unknown for an investor without a NAV" />,
          unit: currency,
          note: [periodText(period), coverageText(known.managementCoverage)].filter(Boolean).join(', '),
        },
        {
          label: 'Called for it',
          value: <Money value={total.called} zero="figure" />,
          unit: currency,
          note: 'calls due in the period',
        },
        {
          label: 'Success fee, paid out so far',
          value: <Money value={total.paid.gp} zero="figure" />,
          unit: currency,
          note: `as of ${formatCalendarDate(page.date)}`,
        },
        {
          label: 'Success fee, with the NAV',
          value: <Money value={known.accrued?.gp} zero="figure" unknown="Unknown for every investor" />,
          unit: known.accrued ? currency : null,
          note: ['if the gross NAV were paid out', coverageText(known.accruedCoverage)].filter(Boolean).join(', '),
        },
        ...(fees.seesTransactionFees
          ? [
              {
                label: 'Borrowers’ fees to investors',
                value: <Money value={total.transaction} zero="figure" />,
                unit: currency,
                note: [
                  'of the facilities that you can see',
                  fees.ratesDate ? `at rates of ${formatCalendarDate(fees.ratesDate)}` : 'up to each cap',
                ].join(', '),
              },
            ]
          : []),
      ]}
    />
  );
}

type Row = ShownFees['rows'][number];

function InvestorTable({ page, read, fees }: { page: FeePage; read: Read; fees: ShownFees }) {
  const { total, rows } = fees;
  const success = (key: 'paid' | 'accrued', head: string): Column<Row> => ({
    head,
    numeric: true,
    cell: (row) =>
      row.hasSuccess ? <Money value={row[key]} unknown={row.reason ?? undefined} /> : <Unknown reason="Not agreed" />,
    total: (
      <Money value={key === 'paid' ? total.paid.gp : total.known.accrued?.gp} unknown="Unknown for every investor" />
    ),
  });
  return (
    <TableSection
      title="Fees by investor"
      note={`${page.currency}; choose an investor for the explanation`}
      more={
        <span className="flex gap-4">
          {fees.withSuccess > 0 ? (
            <MoreLink to={`${feePath(page, read, { waterfall: 'nav' })}#explained`}>
              Success fee of all investors
            </MoreLink>
          ) : null}
          {page.tab.mayCall && total.known.management !== null ? (
            <MoreLink
              to={paths.newCapitalCall({ fund: page.id, feeFrom: read.period.from, feeUntil: read.period.until })}
            >
              Call the management fee
            </MoreLink>
          ) : null}
        </span>
      }
      rows={rows}
      rowKey={(row) => row.commitmentId}
      rowTo={(row) => `${feePath(page, read, { investor: row.commitmentId })}#explained`}
      empty={<EmptyState title="No commitments">Fees follow from the commitments to the fund.</EmptyState>}
      columns={[
        { head: 'Investor', name: (row) => row.title, length: 40, total: formatCount(fees.count, 'commitment') },
        ...(page.classes.length > 0 ? [{ head: 'Class', cell: (row: Row) => row.className ?? <Unknown /> }] : []),
        {
          head: 'Management fee',
          numeric: true,
          cell: (row) => <Money value={row.amount} unknown={row.unknown ?? undefined} />,
          total: <Money value={total.known.management} unknown="Unknown for every investor" />,
        },
        { head: 'Called for it', money: (row) => row.called, total: total.called },
        success('paid', 'Success fee so far'),
        success('accrued', 'With the NAV'),
        ...(fees.seesTransactionFees
          ? [
              {
                head: 'Borrowers’ fees',
                numeric: true,
                cell: (row: Row) =>
                  row.transaction ? <Money value={row.transaction.amount} /> : <Unknown reason="Not agreed" />,
                total: <Money value={total.transaction} />,
              },
            ]
          : []),
      ]}
      below={<Pagination total={fees.count} limit={ROWS_PER_TAB} noun="commitments" />}
    />
  );
}

/** The stretches of days of one line, each with its basis and the documents behind it. */
function Line({ line, currency }: { line: FeeLine; currency: string }) {
  const isDaily = line.parts.some(({ days }) => days !== null);
  return (
    <div className="border-b border-line last:border-b-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 px-3 pt-3">
        <h3 className="text-sm font-semibold">{BASIS_NAMES[line.basis]}</h3>
        <p className="figures text-sm font-semibold">
          <Money
            value={line.amount === null ? null : { sum: line.amount, currency }}
            unknown={line.explanation}
            withCurrency
          />
        </p>
        <p className="w-full pt-0.5 pb-2 text-xs text-ink-2">{line.explanation}</p>
      </div>
      {line.parts.length > 0 ? (
        <DataTable
          narrow="list"
          caption={`Management fee: ${BASIS_NAMES[line.basis].toLowerCase()}`}
          rows={line.parts}
          rowKey={({ from }) => from}
          columns={[
            { head: isDaily ? 'From' : 'Date', cell: (part) => formatCalendarDate(part.from) },
            ...(isDaily ? [{ head: 'Days', figure: (part: (typeof line.parts)[number]) => part.days }] : []),
            { head: `Basis (${currency})`, money: (part) => part.basis, zero: 'figure' },
            { head: 'From which documents', quiet: true, cell: (part) => part.explanation },
          ]}
        />
      ) : null}
    </div>
  );
}

/** How the management fee of one investor comes about. */
function Explanation({ page, chosen }: { page: FeePage; chosen: InvestorFees }) {
  const { management, transaction } = chosen;
  const { currency } = page;
  const money = (value: string) => <Money value={{ sum: value, currency }} withCurrency zero="figure" />;
  return (
    <PanelSection title={`Management fee of ${chosen.title}`} note="first day to last day, both included">
      {management.lines.length === 0 ? (
        <p className="p-4 text-sm text-ink-3">No management fee is agreed.</p>
      ) : (
        management.lines.map((line) => (
          <Line key={`${line.basis} ${line.period.from}`} line={line} currency={currency} />
        ))
      )}
      {management.cappedAt !== null && management.uncapped !== null ? (
        <p className="border-t border-line p-3 text-sm">
          The lines add up to {money(management.uncapped)}. The cap on all fees limits them to{' '}
          {money(management.cappedAt)}.
        </p>
      ) : null}
      {transaction ? (
        <p className="border-t border-line p-3 text-sm">
          Borrowers’ fees: its share by commitment is {money(transaction.share)}
          {transaction.cap === null ? ', without a cap' : <>; its cap is {money(transaction.cap)}</>}. It receives{' '}
          {money(transaction.amount)}.
        </p>
      ) : null}
    </PanelSection>
  );
}

export function FundFeesSection({ page, fees: read }: { page: FeePage; fees: Read }) {
  const { period, problem, fees } = read;
  return (
    <>
      <PanelSection
        title="Fees"
        note={`management fees of a period, success fees as of ${formatCalendarDate(page.date)}`}
        padded
      >
        <PeriodForm page={page} period={period} />
      </PanelSection>
      {page.tab.investorTerms && page.tab.investorTerms.calculatedOtherwise.length > 0 ? (
        <Notice tone="warning">
          Success fees are calculated over the whole fund, with a hurdle that compounds. The terms say otherwise for{' '}
          {firstFew(page.tab.investorTerms.calculatedOtherwise, { most: 5, separator: ', ' })}.
        </Notice>
      ) : null}
      {problem ? <Notice tone="danger">{problem}</Notice> : null}
      {fees ? (
        <>
          <Totals page={page} fees={fees} period={period} />
          {fees.isExplained ? (
            <div id="explained" className="scroll-mt-4">
              {fees.chosen ? <Explanation page={page} chosen={fees.chosen} /> : null}
              <SuccessFeeSections page={page} read={read} fees={fees} />
              {fees.count > 1 ? (
                <LinkButton to={`${feePath(page, read)}#fees`} tone="quiet">
                  Back to the fees of all investors
                </LinkButton>
              ) : null}
            </div>
          ) : (
            <InvestorTable page={page} read={read} fees={fees} />
          )}
        </>
      ) : null}
    </>
  );
}
