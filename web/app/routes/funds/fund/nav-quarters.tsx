import { Link } from '@remix-run/react';
import type { CommitmentNavs, QuarterNav } from '@tapeline/db/operations/capital/navs-by-quarter.ts';
import { DateText, Money, Unknown } from '../../../components/figures/figures.tsx';
import type { Column } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';
import { RecordedChoice } from './recorded-section.tsx';
import type { NavValue } from './tabs.ts';

/** "Q2 2026", by the last day of the quarter. */
const quarterName = (end: string): string => `Q${Math.ceil(Number(end.slice(5, 7)) / 3)} ${end.slice(0, 4)}`;

/** The NAVs of an investor in a quarter. Usually one, of its last day. */
function QuarterCell({
  navs,
  currency,
  end,
  value,
  investor,
  mayWrite,
}: {
  navs: readonly QuarterNav[];
  currency: string;
  end: string;
  value: NavValue;
  investor: string | null;
  mayWrite: boolean;
}) {
  if (navs.length === 0) return <Unknown reason={`No NAV in ${quarterName(end)}`} />;
  return (
    <span className="flex flex-col gap-1">
      {navs.map((nav) => (
        <span key={nav.id} className="flex flex-wrap items-center justify-end gap-x-1.5 max-sm:justify-start">
          {nav.cutOffDate === end ? null : (
            <span className="text-2xs text-ink-3">
              <DateText value={nav.cutOffDate} />
            </span>
          )}
          {nav.status === 'Draft' ? <span className="text-2xs font-medium text-ink-2">Draft</span> : null}
          {mayWrite ? <RecordedChoice noun="NAV" row={nav} investor={investor} /> : null}
          {mayWrite ? (
            <Link to={paths.editNavs([nav.id])} className="tap-text hover:text-accent hover:underline">
              <Money value={{ sum: nav[value], currency }} zero="figure" />
            </Link>
          ) : (
            <Money value={{ sum: nav[value], currency }} zero="figure" />
          )}
        </span>
      ))}
    </span>
  );
}

/** The columns of the quarters in a table of NAVs, the latest first. */
export const quarterColumns = ({
  quarters,
  value = 'net',
  mayWrite = false,
}: {
  /** Their last days. */
  quarters: readonly string[];
  value?: NavValue;
  mayWrite?: boolean;
}): Column<CommitmentNavs>[] =>
  quarters.map((end, index) => ({
    head: quarterName(end),
    numeric: true,
    cell: (row) => (
      <QuarterCell
        navs={row.quarters[index] ?? []}
        currency={row.currency}
        end={end}
        value={value}
        investor={row.investor}
        mayWrite={mayWrite}
      />
    ),
  }));
