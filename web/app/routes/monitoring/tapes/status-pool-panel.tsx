import { Link } from '@remix-run/react';
import { ShareBar } from '../../../components/figures/figures.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import type { StatusPool } from './pool-by-status.ts';

const TONES: Readonly<Record<string, 'chart-1' | 'chart-2' | 'danger' | 'chart-4'>> = {
  pastDue: 'chart-2',
  slowPayment: 'chart-2',
  delinquent: 'chart-2',
  default: 'danger',
  chargedOff: 'danger',
  nonPerformingAsset: 'danger',
  unknown: 'chart-4',
};

/**
 * Assets by status with their outstanding in each currency.
 * @param filterTo returns the address that lists the assets of one status, for the filter's JSON text
 */
export function StatusPoolPanel({ pool, filterTo }: { pool: StatusPool; filterTo: (filter: string) => string }) {
  const unit = pool.currencies.length > 0 ? `current balance, ${pool.currencies.join(' and ')}` : 'number of assets';
  const filterOf = (status: string) =>
    JSON.stringify({ assetStatus: status === 'unknown' ? { exists: false } : status });
  return (
    <TableSection
      title="Pool by status"
      note={unit}
      rows={pool.lines}
      rowKey={(line) => line.status}
      empty={<EmptyState title="No assets">No row of this tape was processed as an asset.</EmptyState>}
      columns={[
        {
          head: 'Status',
          cell: (line) => (
            <Link to={filterTo(filterOf(line.status))} preventScrollReset className="hover:text-accent hover:underline">
              {line.label}
            </Link>
          ),
          total: 'All assets',
        },
        { head: 'Assets', figure: (line) => line.count, quiet: true, total: pool.count },
        ...pool.currencies.map((currency, index) => ({
          head: `Current balance (${currency})`,
          money: (line: (typeof pool.lines)[number]) => line.outstanding[index],
          unknown: `No current balances in ${currency} on the tape`,
          total: pool.outstanding[index],
        })),
        {
          head: <span className="sr-only">Share</span>,
          numeric: true,
          wideOnly: true,
          cell: (line) => <ShareBar fraction={line.share} tone={TONES[line.status] ?? 'chart-1'} width="w-20" />,
          total: null,
        },
      ]}
    />
  );
}
