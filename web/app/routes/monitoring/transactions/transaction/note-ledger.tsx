import { labelOf } from '@tapeline/domain/documents/labels.ts';
import { REPAYMENT_KIND_LABELS } from '@tapeline/domain/repayments/kinds.ts';
import { StepChart } from '../../../../components/charts/step-chart.tsx';
import { DateText, Figure, Money, Percent, Unknown } from '../../../../components/figures/figures.tsx';
import { formatCount } from '../../../../components/figures/format.ts';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Columns, MoreLink, Panel, Section } from '../../../../components/page/section.tsx';
import { DataTable } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import type { NoteStandingView } from '../standing.server.ts';
import type { TransactionPage } from '../transaction-page.server.ts';

type Interest = NonNullable<NoteStandingView['interest']>[number];

const BOUNDS = {
  minimumInterest: 'minimum interest',
  'range minimum': 'floor of the base rate',
  'range maximum': 'cap of the base rate',
} as const;

/** The balance of a note over time, its interest, and what was repaid. Borrowers see their own. */
export function NoteLedger({ page }: { page: TransactionPage }) {
  const { standing, note, mayReadRepayments } = page;
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
            <Section title="Balance over time">
              <Panel>
                <EmptyState title="Nothing is drawn yet">Approved draws and repayments are drawn here.</EmptyState>
              </Panel>
            </Section>
          ) : null}
        </div>
        {mayReadRepayments ? (
          <Section
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
          >
            <Panel>
              <DataTable
                caption={`Repayments of ${note.title}`}
                rows={standing.repayments.rows}
                rowTo={(row) => paths.repayment(row.id)}
                empty={
                  <EmptyState title="No repayments yet">
                    Principal, interest and fees received are listed here.
                  </EmptyState>
                }
                columns={[
                  { key: 'date', head: 'Date', cell: (row) => <DateText value={row.cutOffDate} /> },
                  {
                    key: 'kinds',
                    head: 'Pays',
                    cell: (row) => row.kinds.map((kind) => labelOf(REPAYMENT_KIND_LABELS, kind)).join(', '),
                  },
                  {
                    key: 'amount',
                    head: 'Amount',
                    numeric: true,
                    cell: (row) => (
                      <Money value={row.amount} withCurrency unknown="The table of rates lacks a currency" />
                    ),
                  },
                ]}
              />
            </Panel>
          </Section>
        ) : null}
      </Columns>
      <AccruedInterest standing={standing} />
    </>
  );
}

function AccruedInterest({ standing }: { standing: NoteStandingView }) {
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
                { key: 'currency', head: 'Currency', cell: (row) => row.currency },
                { key: 'from', head: 'From', cell: (row) => <DateText value={row.from} unknown="Nothing was drawn" /> },
                {
                  key: 'rate',
                  head: 'Rate now (%)',
                  numeric: true,
                  cell: (row) => (
                    <Percent bare value={row.latest?.rate ?? null} digits={4} unknown={unknownRate(row, baseRate)} />
                  ),
                },
                {
                  key: 'accrued',
                  head: 'Accrued',
                  numeric: true,
                  cell: (row) => <Money value={row.accrued} unknown={unknownRate(row, baseRate)} />,
                },
                { key: 'paid', head: 'Paid', numeric: true, cell: (row) => <Money value={row.paid} /> },
                {
                  key: 'unpaid',
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
            { key: 'from', head: 'From', cell: (segment) => <DateText value={segment.from} /> },
            { key: 'to', head: 'To', cell: (segment) => <DateText value={segment.to} /> },
            {
              key: 'days',
              head: 'Days',
              numeric: true,
              cell: (segment) => <Figure value={segment.days} zero="figure" />,
            },
            {
              key: 'fraction',
              head: 'Year fraction',
              numeric: true,
              cell: (segment) => <Figure value={segment.yearFraction} digits={8} zero="figure" />,
            },
            { key: 'balance', head: 'Balance', numeric: true, cell: (segment) => <Money value={segment.balance} /> },
            {
              key: 'base',
              head: 'Base rate (%)',
              numeric: true,
              cell: (segment) =>
                segment.baseRate === null ? (
                  <Unknown reason="The interest is fixed" />
                ) : (
                  <Percent bare value={segment.baseRate} digits={4} zero="figure" />
                ),
            },
            {
              key: 'fixing',
              head: 'Fixing of',
              cell: (segment) => <DateText value={segment.fixingDate} unknown="The interest is fixed" />,
            },
            {
              key: 'rate',
              head: 'Rate (%)',
              numeric: true,
              cell: (segment) => <Percent bare value={segment.rate} digits={4} zero="figure" />,
            },
            {
              key: 'bound',
              head: 'Bounded by',
              quiet: true,
              cell: (segment) => (segment.bound ? BOUNDS[segment.bound] : ''),
            },
            {
              key: 'interest',
              head: `Interest (${currency})`,
              numeric: true,
              cell: (segment) => <Money value={segment.interest} zero="figure" />,
            },
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
