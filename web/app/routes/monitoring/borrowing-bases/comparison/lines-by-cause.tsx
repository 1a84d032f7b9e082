import { Link } from '@remix-run/react';
import { CAUSE_LABELS, CAUSES, type Cause } from '@tapeline/domain/borrowing-base/causes/causes.ts';
import type { ExplainedLine } from '@tapeline/domain/borrowing-base/causes/explain-difference.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { isZero } from '@tapeline/domain/money/decimal.ts';
import { classNames } from '../../../../components/class-names.ts';
import { Money } from '../../../../components/figures/figures.tsx';
import { formatCount } from '../../../../components/figures/format.ts';
import { type Column, TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import type { ShownComparison } from './comparison-page.server.ts';
import { SignedMoney } from './signed-money.tsx';

/** How many loans differ themselves; empty for a cause of the note. */
export function loansOf({ assets }: Pick<ShownComparison, 'assets'>, cause: Cause): string {
  const found = assets.find((one) => one.cause === cause);
  return found ? formatCount(found.ownCount, 'loan') : '';
}

/** Every line of both certificates, and what each cause changes of it. A cause leads to the loans behind it. */
export function LinesByCause({
  opened,
  base,
}: {
  opened: ShownComparison;
  base: { readonly id: string; readonly against: string };
}) {
  const { difference, cause: shown } = opened;
  const { currency, lines } = difference;
  const touched = CAUSES.map((cause, index) => ({ cause, index })).filter(({ index }) =>
    lines.some(({ effects }) => !isZero(effects[index] ?? '0')),
  );
  const isLevel = (line: ExplainedLine) => line.kind === 'level';
  const amount = (read: (line: ExplainedLine) => string) => (line: ExplainedLine) => (
    <span className={isLevel(line) ? 'font-semibold' : undefined}>
      <Money value={{ sum: read(line), currency }} zero={isLevel(line) ? 'figure' : 'dash'} className="!text-inherit" />
    </span>
  );
  const columns: Column<ExplainedLine>[] = [
    {
      head: 'Line',
      wraps: true,
      cell: (line) => <span className={isLevel(line) ? 'font-semibold' : undefined}>{line.label}</span>,
    },
    { head: formatCalendarDate(opened.before), numeric: true, cell: amount((line) => line.earlier) },
    { head: formatCalendarDate(opened.after), numeric: true, cell: amount((line) => line.later) },
    {
      head: 'Difference',
      numeric: true,
      cell: (line) => <SignedMoney value={line.difference} currency={currency} isStrong />,
    },
    ...touched.map(
      ({ cause, index }): Column<ExplainedLine> => ({
        head: (
          <Link
            to={paths.baseComparison(base.id, { against: base.against, cause })}
            preventScrollReset
            aria-current={cause === shown ? 'true' : undefined}
            className={classNames(
              'tap-text block hover:underline',
              cause === shown ? 'font-semibold text-ink' : 'text-accent',
            )}
          >
            {CAUSE_LABELS[cause]}
            <span className="block text-2xs font-normal text-ink-3">{loansOf(opened, cause)}</span>
          </Link>
        ),
        numeric: true,
        isShown: cause === shown,
        cell: (line) => <SignedMoney value={line.effects[index] ?? '0'} currency={currency} isStrong={isLevel(line)} />,
      }),
    ),
    {
      head: 'Not explained',
      numeric: true,
      cell: (line) => (
        <span className={isZero(line.notExplained) ? 'text-good' : 'text-danger'}>
          <Money value={{ sum: line.notExplained, currency }} zero="figure" className="!text-inherit" />
        </span>
      ),
    },
  ];
  return (
    <TableSection
      title="Lines by cause"
      note={`${currency} · later less earlier; a cause opens its loans`}
      caption="Lines of both certificates, and what each cause changes"
      rows={lines}
      rowKey={({ key }) => key}
      columns={columns}
    />
  );
}
