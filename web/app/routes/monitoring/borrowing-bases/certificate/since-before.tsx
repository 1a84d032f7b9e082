import { Link } from '@remix-run/react';
import type { ComparedFigure } from '@tapeline/domain/borrowing-base/compare-bases.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { ChangedBy } from '@tapeline/domain/documents/document.schema.ts';
import { AVAILABILITY_AT_CUT_OFF, NO_BALANCE } from '@tapeline/domain/facilities/position-labels.ts';
import { classNames } from '../../../../components/class-names.ts';
import { DateText, Figure, Money, Percent } from '../../../../components/figures/figures.tsx';
import { formatCount, formatFigure, formatInstant } from '../../../../components/figures/format.ts';
import { MoreLink, Panel, Section } from '../../../../components/page/section.tsx';
import { DataTable, TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import type { AuditTab, BorrowingBasePage, TrendTab } from '../borrowing-base-page.server.ts';

const written = ({ unit }: ComparedFigure, value: string | null, unknown: string) =>
  unit === 'percent' ? (
    <Percent value={value} unknown={unknown} />
  ) : (
    <Money value={value} digits={0} unknown={unknown} />
  );

/** The figures of two borrowing bases side by side, and how each changed. */
function Compared({
  caption,
  figures,
  heads,
}: {
  caption: string;
  figures: readonly ComparedFigure[];
  heads: readonly [before: string, now: string];
}) {
  return (
    <Panel>
      <DataTable
        caption={caption}
        rows={figures}
        rowKey={(figure) => figure.label}
        columns={[
          {
            head: 'Figure',
            // A long name wraps, so that every figure fits beside it.
            cell: (figure) => (
              <span className={classNames('whitespace-normal', figure.isLevel && 'font-medium')}>{figure.label}</span>
            ),
          },
          {
            head: heads[0],
            numeric: true,
            quiet: true,
            wideOnly: true,
            cell: (figure) => written(figure, figure.before, 'Not available then'),
          },
          { head: heads[1], numeric: true, cell: (figure) => written(figure, figure.now, 'Not known') },
          {
            head: 'Change',
            numeric: true,
            cell: (figure) =>
              figure.unit === 'percent' && figure.change !== null ? (
                <>
                  <Figure value={figure.change} digits={2} /> <small className="text-ink-3">points</small>
                </>
              ) : (
                written(figure, figure.change, 'One of the two values is not available')
              ),
          },
        ]}
      />
    </Panel>
  );
}

/** How each figure changed since the previous borrowing base. Empty for the first one of a note. */
export function SinceBefore({ base, since: before }: { base: BorrowingBasePage; since: TrendTab['since'] }) {
  const { result } = base;
  if (!before || before.figures.length === 0) return null;
  const then = formatCalendarDate(before.cutOffDate);
  return (
    <Section
      title={`Since ${then}`}
      note={`${result.currency}, rounded`}
      more={
        <span className="flex flex-wrap gap-x-4">
          {base.transaction ? (
            <MoreLink to={paths.baseComparison(base.id, { against: before.id })}>Why did it change?</MoreLink>
          ) : null}
          <MoreLink to={paths.borrowingBase(before.id)}>Open prior certificate</MoreLink>
        </span>
      }
    >
      <Compared
        caption={`Changes from ${then}`}
        figures={before.figures}
        heads={[then, formatCalendarDate(base.cutOffDate)]}
      />
    </Section>
  );
}

const nameOf = (by: ChangedBy | null): string | null => {
  if (!by) return null;
  return 'apiName' in by.entity ? by.entity.apiName : `${by.entity.firstName} ${by.entity.lastName}`;
};

/** Every result of this tape under this contract: a recalculation keeps the earlier ones. */
export function Recalculations({ base, tab }: { base: BorrowingBasePage; tab: AuditTab }) {
  const { versions: all, total: count, compared } = tab;
  return (
    <>
      <TableSection
        title="Results of this tape"
        note={
          all.length < count
            ? `the latest ${all.length} of ${formatFigure(count)}`
            : `${formatCount(count, 'calculation')}, latest first`
        }
        narrow="list"
        rows={all}
        rowTo={({ id }) => (id === base.id ? null : paths.borrowingBase(id, { view: 'audit' }))}
        isShown={({ id }) => id === base.id}
        columns={[
          { head: 'Calculated', date: (version) => version.calculatedAt, time: true },
          {
            head: 'Net borrowing base',
            money: (version) => ({ sum: version.netBB, currency: version.currency }),
            withCurrency: true,
            zero: 'figure',
          },
          {
            head: AVAILABILITY_AT_CUT_OFF,
            money: (version) => version.availability,
            withCurrency: true,
            zero: 'figure',
            unknown: NO_BALANCE,
          },
          {
            head: 'Status',
            cell: ({ superseded }) =>
              superseded ? (
                <>
                  Superseded <DateText value={superseded.timestamp} time />
                  {nameOf(superseded) ? ` by ${nameOf(superseded)}` : ''}
                </>
              ) : (
                'Latest'
              ),
          },
          {
            head: <span className="sr-only">Compare</span>,
            cell: ({ id }) =>
              id === base.id ? (
                <span className="text-ink-3">this one</span>
              ) : id === compared?.id ? (
                <span className="text-ink-3">compared</span>
              ) : (
                <Link
                  to={paths.borrowingBase(base.id, { view: 'audit', against: id })}
                  preventScrollReset
                  className="tap-text text-accent hover:underline"
                >
                  Compare
                </Link>
              ),
          },
        ]}
      />
      {compared && compared.figures.length > 0 ? (
        <Section
          title="Compared with another result"
          note={`${base.result.currency}, rounded`}
          more={
            base.transaction ? (
              <MoreLink to={paths.baseComparison(base.id, { against: compared.id })}>Why did it change?</MoreLink>
            ) : null
          }
        >
          <Compared
            caption="Changes from the other result"
            figures={compared.figures}
            heads={[formatInstant(compared.calculatedAt), formatInstant(base.calculatedAt)]}
          />
        </Section>
      ) : null}
    </>
  );
}
