import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { Figure, Money, Percent } from '../../../../components/figures/figures.tsx';
import { MoreLink, Panel, Section } from '../../../../components/page/section.tsx';
import { DataTable } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';
import type { BorrowingBasePage } from '../borrowing-base-page.server.ts';
import type { ComparedFigure } from '../compare-bases.ts';

const written = ({ unit }: ComparedFigure, value: string | null, unknown: string) =>
  unit === 'percent' ? (
    <Percent value={value} unknown={unknown} />
  ) : (
    <Money value={value} digits={0} unknown={unknown} />
  );

/** How each figure changed since the previous borrowing base. Empty for the first one of a note. */
export function SinceBefore({ base }: { base: BorrowingBasePage }) {
  const { before, result } = base;
  if (!before || before.figures.length === 0) return null;
  return (
    <Section
      title={`Since ${formatCalendarDate(before.cutOffDate)}`}
      note={`${result.currency}, rounded`}
      more={<MoreLink to={paths.borrowingBase(before.id)}>Open prior certificate</MoreLink>}
    >
      <Panel>
        <DataTable
          caption={`Changes from ${formatCalendarDate(before.cutOffDate)}`}
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
              cell: (figure) => written(figure, figure.before, 'Not available then'),
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
                  written(figure, figure.change, 'One of the two values is not available')
                ),
            },
          ]}
        />
      </Panel>
    </Section>
  );
}
