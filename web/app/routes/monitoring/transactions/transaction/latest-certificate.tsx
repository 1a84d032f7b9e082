import type { ComparedFigure } from '@tapeline/domain/borrowing-base/compare-bases.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { isNegative, isZero, negate } from '@tapeline/domain/money/decimal.ts';
import { classNames } from '../../../../components/class-names.ts';
import { Percent, ShortNumber } from '../../../../components/figures/figures.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { MoreLink, PanelSection } from '../../../../components/page/section.tsx';
import { type Column, TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import type { FacilityTab } from '../transaction-page.server.ts';

const NOT_THEN = 'Not available then';
/** A deduction is below zero, and no alarm. */
const PLAIN = '!text-inherit';

/** Deductions are below zero, so that each column adds up to its levels. */
const signed = ({ isLevel }: ComparedFigure, value: string | null): string | null =>
  value === null || isLevel ? value : negate(value);

/** What pool, deductions and balance make of the latest tape, next to the certificate before it. */
export function LatestCertificate({ certificate }: { certificate: FacilityTab<'overview'>['tab']['certificate'] }) {
  if (!certificate) {
    return (
      <PanelSection title="Latest certificate">
        <EmptyState title="No borrowing base yet">
          Upload a tape and calculate its borrowing base under an active contract.
        </EmptyState>
      </PanelSection>
    );
  }
  const { before, earlier, figures, cutOffDate, currency, id } = certificate;
  const cell = (figure: ComparedFigure, value: string | null, tone = figure.isLevel ? '' : PLAIN) => (
    <span className={figure.isLevel ? 'font-semibold' : undefined}>
      {figure.unit === 'percent' ? (
        <Percent value={value} className={tone} unknown={NOT_THEN} />
      ) : (
        <ShortNumber value={signed(figure, value)} digits={2} zero="figure" className={tone} unknown={NOT_THEN} />
      )}
    </span>
  );
  const change = (figure: ComparedFigure) => {
    const value = signed(figure, figure.change);
    const isBetter = value !== null && !isZero(value) && figure.isLevel ? !isNegative(value) : null;
    const tone = isBetter === null ? PLAIN : isBetter ? 'text-good' : 'text-danger';
    return (
      <span className={tone}>
        {value !== null && !isZero(value) && !isNegative(value) ? '+' : null}
        {cell(figure, figure.change, tone)}
      </span>
    );
  };
  const compared: Column<ComparedFigure>[] = before
    ? [
        {
          head: formatCalendarDate(before).slice(0, -5),
          numeric: true,
          quiet: true,
          cell: (figure) => cell(figure, figure.before),
        },
      ]
    : [];
  return (
    <TableSection
      title="Latest certificate"
      note={`${formatCalendarDate(cutOffDate)}, ${currency}`}
      more={
        <span className="flex flex-wrap gap-x-4">
          {earlier ? (
            <MoreLink to={paths.baseComparison(id, { against: earlier.id })}>Why did it change?</MoreLink>
          ) : null}
          <MoreLink to={paths.borrowingBase(id)}>Open</MoreLink>
        </span>
      }
      caption="Latest certificate and the one before"
      rows={figures}
      rowKey={({ label }) => label}
      columns={[
        {
          head: 'Figure',
          // A long name wraps, so that every figure fits beside it.
          cell: (figure) => (
            <span className={classNames('whitespace-normal', figure.isLevel && 'font-semibold')}>{figure.label}</span>
          ),
        },
        ...compared,
        {
          head: formatCalendarDate(cutOffDate).slice(0, -5),
          numeric: true,
          cell: (figure) => cell(figure, figure.now),
        },
        ...(before ? [{ head: 'Change', numeric: true, cell: change }] : []),
      ]}
    />
  );
}
