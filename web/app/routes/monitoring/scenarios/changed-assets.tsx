import { STATUS_IN_BASE_LABELS } from '@tapeline/domain/facilities/pools.ts';
import { Money, Mono } from '../../../components/figures/figures.tsx';
import { formatCount } from '../../../components/figures/format.ts';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Pagination } from '../../../components/page/pagination.tsx';
import { type Column, TableSection } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';
import { LISTED_LOANS } from '../borrowing-bases/comparison/listed-loans.ts';
import { SignedMoney } from '../borrowing-bases/comparison/signed-money.tsx';
import type { WhatIfPage } from './what-if.server.ts';

type Assets = NonNullable<WhatIfPage['assets']>;
type Loan = NonNullable<Assets['page']>['loans'][number];

const SIDES = ['before', 'after'] as const;
const HEADS = { before: 'certificate', after: 'scenario' } as const;

const statusOf = (status: string): string => STATUS_IN_BASE_LABELS[status] ?? status;

/** "12 loans from Eligible to Ineligible". */
const moved = ({ statusChanges }: Assets): string =>
  statusChanges
    .map(({ from, to, assets }) => `${formatCount(assets, 'loan')} from ${statusOf(from)} to ${statusOf(to)}`)
    .join(' · ');

/** The loans that a scenario affects, those with the largest effect first. */
export function ChangedAssets({ assets, base }: { assets: Assets; base: WhatIfPage['base'] }) {
  const { currency } = base;
  const { page } = assets;
  if (!page) return null;
  const of = (read: (side: (typeof SIDES)[number]) => Column<Loan>) => SIDES.map(read);
  return (
    <TableSection
      title={`Loans that change under ${assets.title}`}
      note={[`${currency} · certificate and scenario`, moved(assets)].filter(Boolean).join(' · ')}
      caption={`Loans that change under ${assets.title}`}
      rows={page.loans}
      rowKey={({ documentId }) => documentId}
      rowTo={({ tapeId, documentId }) => paths.tape(tapeId, { asset: documentId, borrowingBase: base.id })}
      columns={[
        {
          head: 'Loan',
          oneLine: true,
          cell: (loan) => (
            <>
              {loan.assetId ? <Mono>{loan.assetId}</Mono> : 'No id'}
              {loan.isOwn ? null : <span className="block text-xs text-ink-3">through limits</span>}
            </>
          ),
          total: formatCount(page.total, 'loan'),
        },
        ...of((side) => ({
          head: `Status, ${HEADS[side]}`,
          wraps: true,
          cell: (loan) => {
            const rule = side === 'before' ? loan.ruleBefore : loan.ruleAfter;
            return (
              <>
                {statusOf(loan[side]?.status ?? '')}
                {rule ? <span className="block text-xs text-ink-3">{rule}</span> : null}
              </>
            );
          },
          total: '',
        })),
        ...of((side) => ({
          head: `Amount, ${HEADS[side]}`,
          numeric: true,
          wideOnly: true,
          cell: (loan) => {
            const sum = loan[side]?.amount;
            return <Money value={sum ? { sum, currency } : null} unknown="Unknown" zero="figure" />;
          },
          total: '',
        })),
        ...of((side) => ({
          head: `Advanced, ${HEADS[side]}`,
          numeric: true,
          cell: (loan) => <Money value={{ sum: loan[side]?.advanced ?? '0', currency }} />,
          total: '',
        })),
        {
          head: 'Difference',
          numeric: true,
          cell: (loan) => <SignedMoney value={loan.effect} currency={currency} isStrong />,
          total: <SignedMoney value={assets.effect} currency={currency} />,
        },
      ]}
      empty={<EmptyState title="No loans">No loan changes under this scenario.</EmptyState>}
      below={<Pagination total={page.total} limit={LISTED_LOANS} noun="loans" />}
    />
  );
}
