import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { BorrowingBasePage } from '../../borrowing-bases/borrowing-base-page.server.ts';
import type { ComparedFigure } from '../../borrowing-bases/compare-bases.ts';
import { Figure, Money, Percent } from '../../components/figures/figures.tsx';
import { MoreLink, Panel, Section } from '../../components/page/section.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { paths } from '../../paths.ts';

const written = ({ unit }: ComparedFigure, value: string | null, unknown: string) =>
  unit === 'percent' ? (
    <Percent value={value} unknown={unknown} />
  ) : (
    <Money value={value} digits={0} unknown={unknown} />
  );

/** What became of each figure since the borrowing base before; nothing for the first of a note. */
export function SinceBefore({ base }: { base: BorrowingBasePage }) {
  const { before, result } = base;
  if (!before || before.figures.length === 0) return null;
  return (
    <Section
      title={`Since ${formatCalendarDate(before.cutOffDate)}`}
      note={`${result.currency}, without cents`}
      more={<MoreLink to={paths.borrowingBase(before.id)}>Open that one</MoreLink>}
    >
      <Panel>
        <DataTable
          caption={`Figures beside those of ${formatCalendarDate(before.cutOffDate)}`}
          rows={before.figures}
          rowKey={(figure) => figure.label}
          columns={[
            {
              key: 'figure',
              head: 'Figure',
              cell: (figure) => (figure.isLevel ? <b className="font-medium">{figure.label}</b> : figure.label),
            },
            {
              key: 'before',
              head: formatCalendarDate(before.cutOffDate),
              numeric: true,
              quiet: true,
              wideOnly: true,
              cell: (figure) => written(figure, figure.before, 'Not known then'),
            },
            {
              key: 'now',
              head: formatCalendarDate(base.cutOffDate),
              numeric: true,
              cell: (figure) => written(figure, figure.now, 'Not known'),
            },
            {
              key: 'change',
              head: 'Change',
              numeric: true,
              cell: (figure) =>
                figure.unit === 'percent' && figure.change !== null ? (
                  <>
                    <Figure value={figure.change} digits={2} /> <small className="text-ink-3">points</small>
                  </>
                ) : (
                  written(figure, figure.change, 'One of the two is not known')
                ),
            },
          ]}
        />
      </Panel>
    </Section>
  );
}
