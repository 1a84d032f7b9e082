import { labelOf } from '@tapeline/domain/documents/labels.ts';
import { REPAYMENT_KIND_LABELS } from '@tapeline/domain/repayments/kinds.ts';
import { StepChart } from '../../../../components/charts/step-chart.tsx';
import { DateText, Money } from '../../../../components/figures/figures.tsx';
import { formatCount } from '../../../../components/figures/format.ts';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Columns, MoreLink, Panel, PanelSection, Section } from '../../../../components/page/section.tsx';
import { DataTable, TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import type { NoteStandingView } from '../standing.server.ts';
import type { FacilityTab } from '../transaction-page.server.ts';

type Interest = NonNullable<NoteStandingView['interest']>[number];

const BOUNDS = {
  minimumInterest: 'minimum interest',
  'range minimum': 'floor of the base rate',
  'range maximum': 'cap of the base rate',
} as const;

/** The balance of a note over time, its interest, and what was repaid. Borrowers see their own. */
export function NoteLedger({ page }: { page: FacilityTab<'draws'> }) {
  const {
    tab: { standing, mayReadRepayments },
    note,
  } = page;
  if (standing.position.balance === null && standing.terms === null) return null;
  const isOfNote = JSON.stringify({ noteId: note.id });
  return (
    <>
      <Columns split="wide">
        <div className="min-w-0">
          {standing.steps.map(({ currency, steps }) => (
            <StepChart
              key={currency}
              title="Balance over time"
              note={currency}
              until={standing.today}
              series={[{ label: 'Balance', steps, colour: 2 }]}
            />
          ))}
          {standing.steps.length === 0 ? (
            <PanelSection title="Balance over time">
              <EmptyState title="Nothing is drawn yet">Approved draws and repayments are drawn here.</EmptyState>
            </PanelSection>
          ) : null}
        </div>
        {mayReadRepayments ? (
          <TableSection
            title="Repayments"
            note={formatCount(standing.repayments.total, 'repayment')}
            more={
              <span className="flex gap-3">
                {page.mayRecordRepayment ? (
                  <MoreLink to={paths.newRepayment({ note: note.id })}>Record a repayment</MoreLink>
                ) : null}
                <MoreLink to={`${paths.repayments()}?${new URLSearchParams({ filter: isOfNote })}`}>View all</MoreLink>
              </span>
            }
            caption={`Repayments of ${note.title}`}
            rows={standing.repayments.rows}
            rowTo={(row) => paths.repayment(row.id)}
            empty={
              <EmptyState title="No repayments yet">Principal, interest and fees received are listed here.</EmptyState>
            }
            columns={[
              { head: 'Date', date: (row) => row.cutOffDate },
              {
                head: 'Pays',
                cell: (row) => (
                  <span className="whitespace-normal">
                    {row.isInKind
                      ? 'Interest in kind'
                      : row.kinds.map((kind) => labelOf(REPAYMENT_KIND_LABELS, kind)).join(', ')}
                  </span>
                ),
              },
              {
                head: 'Amount',
                money: (row) => row.amount,
                withCurrency: true,
                unknown: 'The table of rates lacks a currency',
              },
            ]}
          />
        ) : null}
      </Columns>
      <AccruedInterest
        standing={standing}
        forecast={mayReadRepayments ? paths.forecast(page.transaction.id, note.id) : null}
      />
    </>
  );
}

function AccruedInterest({ standing, forecast }: { standing: NoteStandingView; forecast: string | null }) {
  const { interest, terms, today, baseRate } = standing;
  if (terms === null) return null;
  return (
    <Section
      title="Accrued interest"
      note={
        <>
          {terms}, to <DateText value={today} />
        </>
      }
      more={forecast ? <MoreLink to={forecast}>Forecast</MoreLink> : null}
    >
      {interest === null ? (
        <Panel>
          <EmptyState title="Nothing accrues yet">
            Interest accrues from the due date of the first approved draw.
          </EmptyState>
        </Panel>
      ) : (
        <>
          <Panel>
            <DataTable
              caption="Accrued interest by currency"
              rows={interest}
              rowKey={(row) => row.currency}
              columns={[
                { head: 'Currency', cell: (row) => row.currency },
                { head: 'From', date: (row) => row.from, unknown: 'Nothing was drawn' },
                {
                  head: 'Rate now (%)',
                  percent: (row) => row.latest?.rate ?? null,
                  bare: true,
                  digits: 4,
                  unknown: (row) => unknownRate(row, baseRate),
                },
                { head: 'Accrued', money: (row) => row.accrued, unknown: (row) => unknownRate(row, baseRate) },
                { head: 'Paid', money: (row) => row.paid },
                {
                  head: 'Accrued and unpaid',
                  numeric: true,
                  cell: (row) => (
                    <Money value={row.unpaid} unknown={unknownRate(row, baseRate)} className="font-semibold" />
                  ),
                },
              ]}
            />
          </Panel>
          {interest.map((row) => (
            <Explanation key={row.currency} row={row} />
          ))}
        </>
      )}
    </Section>
  );
}

const unknownRate = ({ missingFrom }: Interest, baseRate: string | null): string =>
  missingFrom
    ? `There is no fixing of ${baseRate ?? 'the base rate'} on or before ${missingFrom}`
    : 'Nothing is outstanding';

/** The periods within which neither the balance nor the rate changed. */
function Explanation({ row }: { row: Interest }) {
  const { segments, earlier, currency, dayCount, missingFrom } = row;
  if (missingFrom) {
    return (
      <p className="mt-2 text-sm text-ink-2">
        Interest in {currency} is unknown: {unknownRate(row, null)}.
      </p>
    );
  }
  if (segments.length === 0) return null;
  const carried = segments.at(-1)?.carriedDays ?? 0;
  return (
    <details className="mt-2">
      <summary className="tap-text w-fit cursor-pointer rounded-sm text-xs font-medium text-accent hover:underline">
        How the interest in {currency} is calculated
      </summary>
      <p className="my-2 max-w-[90ch] text-xs text-ink-2">
        Interest is balance × rate × days, counted by {dayCount}. The first day of a period counts and the last does
        not. A fixing applies from its own date until the next one.
        {carried > 0 ? ` The latest period uses an earlier fixing for ${formatCount(carried, 'day')} without one.` : ''}
      </p>
      <Panel>
        <DataTable
          caption={`Interest in ${currency} by period`}
          rows={segments.toReversed()}
          rowKey={(segment) => segment.from}
          columns={[
            { head: 'From', date: (segment) => segment.from },
            { head: 'To', date: (segment) => segment.to },
            { head: 'Days', figure: (segment) => segment.days, zero: 'figure' },
            { head: 'Year fraction', figure: (segment) => segment.yearFraction, digits: 8, zero: 'figure' },
            { head: 'Balance', money: (segment) => segment.balance },
            {
              head: 'Base rate (%)',
              percent: (segment) => segment.baseRate,
              bare: true,
              digits: 4,
              zero: 'figure',
              unknown: 'The interest is fixed',
            },
            { head: 'Fixing of', date: (segment) => segment.fixingDate, unknown: 'The interest is fixed' },
            { head: 'Rate (%)', percent: (segment) => segment.rate, bare: true, digits: 4, zero: 'figure' },
            { head: 'Bounded by', quiet: true, cell: (segment) => (segment.bound ? BOUNDS[segment.bound] : '') },
            ...(segments.some(({ pricing }) => pricing !== '')
              ? [{ head: 'Pricing', quiet: true, cell: ({ pricing }: { pricing: string }) => pricing }]
              : []),
            { head: `Interest (${currency})`, money: (segment) => segment.interest, zero: 'figure' },
          ]}
        />
      </Panel>
      {earlier ? (
        <p className="mt-2 text-xs text-ink-2">
          {formatCount(earlier.count, 'earlier period')} until <DateText value={earlier.until} />:{' '}
          <Money value={{ sum: earlier.interest, currency }} withCurrency />
        </p>
      ) : null}
    </details>
  );
}
