import type { AssetCause } from '@tapeline/domain/borrowing-base/causes/causes.ts';
import { CAUSE_LABELS, CAUSE_MEANINGS } from '@tapeline/domain/borrowing-base/causes/causes.ts';
import { STATUS_IN_BASE_LABELS } from '@tapeline/domain/facilities/pools.ts';
import { Money, Mono, Percent } from '../../../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../../../components/figures/format.ts';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Pagination } from '../../../../components/page/pagination.tsx';
import { type Column, TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import type { ShownComparison } from './comparison-page.server.ts';
import { SignedMoney } from './signed-money.tsx';

type Loans = NonNullable<ShownComparison['loans']>;
type Loan = Loans['loans'][number];
type Side = Loan['before'];

const NOT_ON = 'Not on this tape';

/** The status, with the rule that the loan fails first. */
function Status({ side, rule }: { side: Side; rule: string | null }) {
  if (!side) return <span className="text-ink-3">{NOT_ON}</span>;
  return (
    <>
      {STATUS_IN_BASE_LABELS[side.status]}
      {rule ? <span className="block text-xs text-ink-3">{rule}</span> : null}
    </>
  );
}

/** The values that a cause replaces, before and after. */
function valuesOf(cause: AssetCause, currency: string): Column<Loan>[] {
  const money = (read: (side: NonNullable<Side>) => string | null, head: string): Column<Loan>[] =>
    (['before', 'after'] as const).map((name) => ({
      head: `${head} ${name}`,
      numeric: true,
      cell: (loan: Loan) => {
        const side = loan[name];
        const sum = side && read(side);
        return <Money value={sum ? { sum, currency } : null} unknown={side ? 'Unknown' : NOT_ON} zero="figure" />;
      },
    }));
  switch (cause) {
    case 'onlyInOne':
    case 'amount':
    case 'exchange':
      return money((side) => side.amount, 'Amount');
    case 'status':
      return [
        { head: 'Status before', wraps: true, cell: (loan) => <Status side={loan.before} rule={loan.ruleBefore} /> },
        { head: 'Status after', wraps: true, cell: (loan) => <Status side={loan.after} rule={loan.ruleAfter} /> },
      ];
    case 'limit':
      return money((side) => side.remaining, 'Remaining');
    case 'rate':
      return (['before', 'after'] as const).map((name) => ({
        head: `Rate ${name}`,
        numeric: true,
        cell: (loan: Loan) => (
          <Percent value={loan[name]?.rate ?? null} zero="figure" unknown="Nothing is advanced against it" />
        ),
      }));
  }
}

/** What happened to a loan that does not differ itself, or that is on one tape only; null for any other. */
function reasonOf({ isOwn, before, after }: Loan): string | null {
  if (!isOwn) return 'through limits';
  return before === null ? 'new' : after === null ? 'gone' : null;
}

/** The loan, and why it is listed. */
function Listed({ loan }: { loan: Loan }) {
  const reason = reasonOf(loan);
  return (
    <>
      {loan.assetId ? <Mono>{loan.assetId}</Mono> : 'No id'}
      {reason ? <span className="block text-xs text-ink-3">{reason}</span> : null}
    </>
  );
}

/** The loans behind a cause, each with both values and its effect; they add up to the cause. */
export function AffectedLoans({
  opened,
  cause,
  loans,
  base,
  limit,
}: {
  opened: ShownComparison;
  cause: AssetCause;
  loans: Loans;
  base: { readonly id: string; readonly against: string };
  limit: number;
}) {
  const { currency } = opened.difference;
  const found = opened.assets.find((one) => one.cause === cause);
  const through = (found?.count ?? 0) - (found?.ownCount ?? 0);
  const advanced = (name: 'before' | 'after'): Column<Loan> => ({
    head: `Advanced ${name}`,
    numeric: true,
    wideOnly: true,
    cell: (loan) => <Money value={{ sum: loan[name]?.advanced ?? '0', currency }} />,
    total: '',
  });
  return (
    <TableSection
      title={`${CAUSE_LABELS[cause]}, ${formatCount(found?.ownCount ?? 0, 'loan')}${through > 0 ? ` and ${formatFigure(through)} through limits` : ''}`}
      note={`${currency} · ${CAUSE_MEANINGS[cause]}`}
      more={
        loans.total > 0 ? (
          <LinkButton
            external
            to={paths.baseComparisonFile(base.id, { against: base.against, format: 'xlsx', part: 'assets', cause })}
          >
            Excel
          </LinkButton>
        ) : null
      }
      caption={`Loans behind the cause: ${CAUSE_LABELS[cause]}`}
      rows={loans.loans}
      rowKey={({ tapeId, documentId }) => `${tapeId} ${documentId}`}
      rowTo={({ tapeId, documentId, borrowingBase }) => paths.tape(tapeId, { asset: documentId, borrowingBase })}
      columns={[
        {
          head: 'Loan',
          oneLine: true,
          cell: (loan) => <Listed loan={loan} />,
          total: formatCount(loans.total, 'loan'),
        },
        ...valuesOf(cause, currency).map((column) => ({ ...column, total: '' })),
        advanced('before'),
        advanced('after'),
        {
          head: 'Effect',
          numeric: true,
          cell: (loan) => <SignedMoney value={loan.effect} currency={currency} isStrong />,
          total: <SignedMoney value={found?.effect ?? '0'} currency={currency} />,
        },
      ]}
      empty={<EmptyState title="No loans">No loan differs in this.</EmptyState>}
      below={<Pagination total={loans.total} limit={limit} noun="loans" />}
    />
  );
}
