import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { VALUE_POOL_LABELS } from '@tapeline/domain/facilities/pools.ts';
import { Figure, Money, Name, Percent } from '../../../../components/figures/figures.tsx';
import { Panel, Section } from '../../../../components/page/section.tsx';
import { DataTable } from '../../../../components/tables/data-table.tsx';

/** The same figures per scope. They add up to the totals. A contract without scopes has no breakdown. */
export function Scopes({ result }: { result: BorrowingBaseResult }) {
  const { scopes, totals, currency } = result;
  if (scopes.length < 2 && scopes[0]?.title === null) return null;
  const { pools } = totals;
  return (
    <Section title="Scopes" note={`${currency} · an asset belongs to the first scope it matches`}>
      <Panel>
        <DataTable
          narrow="list"
          caption="Scopes"
          rows={scopes}
          rowKey={(scope) => scope.title ?? ''}
          columns={[
            {
              key: 'scope',
              head: 'Scope',
              cell: (scope) => <Name>{scope.title ?? 'Every asset'}</Name>,
              total: 'All scopes',
            },
            {
              key: 'assets',
              head: 'Assets',
              numeric: true,
              cell: (scope) => <Figure value={scope.pools.relevant.count} />,
              total: <Figure value={pools.relevant.count} />,
            },
            {
              key: 'relevant',
              head: 'Relevant pool',
              numeric: true,
              cell: (scope) => <Money value={scope.pools.relevant.amount} />,
              total: <Money value={pools.relevant.amount} />,
            },
            {
              key: 'advanced',
              head: 'Eligible or performing',
              numeric: true,
              cell: (scope) => <Money value={scope.pools.eligibleOrPerforming.amount} />,
              total: <Money value={pools.eligibleOrPerforming.amount} />,
            },
            {
              key: 'firstBB',
              head: 'Gross borrowing base',
              numeric: true,
              wideOnly: true,
              cell: (scope) => <Money value={scope.firstBB} />,
              total: <Money value={totals.firstBB} />,
            },
            {
              key: 'excess',
              head: 'Excess',
              numeric: true,
              wideOnly: true,
              cell: (scope) => <Money value={scope.excess} />,
              total: <Money value={totals.excess} />,
            },
            {
              key: 'netBB',
              head: 'Net borrowing base',
              numeric: true,
              cell: (scope) => <Money value={scope.netBB} />,
              total: <Money value={totals.netBB} />,
            },
          ]}
        />
      </Panel>
      {totals.outOfScope.count > 0 ? (
        <p className="mt-2 text-xs text-ink-3">
          Out of scope: <Figure value={totals.outOfScope.count} /> assets,{' '}
          <Money value={totals.outOfScope.amount} withCurrency />.
        </p>
      ) : null}
    </Section>
  );
}

export function AdvanceRates({ result }: { result: BorrowingBaseResult }) {
  const { rulesTracking, totals, currency } = result;
  return (
    <Section title="Advance rates" note={`${currency} · after concentration limits`}>
      <Panel>
        <DataTable
          caption="Advance rates"
          rows={rulesTracking.advancing}
          rowKey={(row) => String(row.rule)}
          columns={[
            { key: 'case', head: 'Case', cell: (row) => <Name length={40}>{row.title}</Name>, total: 'All' },
            {
              key: 'scope',
              head: 'Scope',
              quiet: true,
              wideOnly: true,
              cell: (row) => row.scope ?? 'All',
              total: '',
            },
            {
              key: 'rate',
              head: 'Rate',
              numeric: true,
              cell: (row) => <Percent value={row.rate} zero="figure" />,
              total: <Percent value={totals.weightedAdvanceRatePercent} unknown="No assets to advance against" />,
            },
            {
              key: 'assets',
              head: 'Assets',
              numeric: true,
              wideOnly: true,
              cell: (row) => <Figure value={row.taken.count} />,
              total: <Figure value={totals.pools.eligibleOrPerforming.count} />,
            },
            {
              key: 'remaining',
              head: 'Remaining',
              numeric: true,
              wideOnly: true,
              cell: (row) => <Money value={row.remaining} />,
              total: <Money value={totals.remaining} />,
            },
            {
              key: 'advanced',
              head: 'Advanced',
              numeric: true,
              cell: (row) => <Money value={row.advanced} />,
              total: <Money value={totals.netBB} />,
            },
          ]}
        />
      </Panel>
    </Section>
  );
}

export function Values({ result, units }: { result: BorrowingBaseResult; units: Record<string, string> }) {
  return (
    <Section title="Values">
      <Panel>
        <DataTable
          caption="Values"
          rows={result.totals.values}
          rowKey={(value) => value.title}
          columns={[
            {
              key: 'value',
              head: 'Value',
              cell: (value) => <span title={`Pool: ${VALUE_POOL_LABELS[value.pool]}`}>{value.title}</span>,
            },
            {
              key: 'figure',
              head: 'Figure',
              numeric: true,
              cell: (value) =>
                value.currency ? (
                  <Money
                    value={value.value === null ? null : { sum: value.value, currency: value.currency }}
                    withCurrency
                  />
                ) : (
                  <>
                    <Figure value={value.value} digits={2} unknown="No asset in the pool has this field" />
                    {value.value !== null && units[value.title] ? (
                      <small className="ml-1 text-ink-3">{units[value.title]}</small>
                    ) : null}
                  </>
                ),
            },
          ]}
        />
      </Panel>
    </Section>
  );
}
