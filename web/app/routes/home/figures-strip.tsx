import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { AVAILABILITY_TODAY } from '@tapeline/domain/facilities/position-labels.ts';
import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import { capitalKeyFigures } from '../../components/figures/capital-key-figures.tsx';
import { ShortNumber, Unknown } from '../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../components/figures/format.ts';
import { type KeyFigure, KeyFigures } from '../../components/page/key-figures.tsx';
import { paths } from '../../paths.ts';
import type { MonitoringView } from '../monitoring/overview/monitoring.server.ts';
import { dueWords } from '../monitoring/overview/tape-due-words.ts';
import type { DashboardView } from './dashboard.server.ts';

const NO_BALANCE = 'No draws or repayments recorded yet';
const NO_BASE = 'No borrowing base calculated yet';

/**
 * A total as the strip shows it. Amounts in several currencies cannot be added up, so each is shown with its currency.
 */
function total(totals: readonly Amount[], unknown: string): Pick<KeyFigure, 'value' | 'unit'> {
  const [only] = totals;
  if (!only) return { value: <Unknown reason={unknown} /> };
  if (totals.length === 1) return { value: <ShortNumber value={only.sum} digits={2} />, unit: only.currency };
  return {
    value: (
      <span className="flex gap-4">
        {totals.slice(0, 3).map(({ sum, currency }) => (
          <span key={currency}>
            <ShortNumber value={sum} /> <small className="text-sm font-medium text-ink-3">{currency}</small>
          </span>
        ))}
      </span>
    ),
  };
}

/** The cut-off dates of the borrowing bases, where there are any. */
function basesOf({ cutOffDates }: MonitoringView['totals']): string {
  if (!cutOffDates) return '';
  const { earliest, latest } = cutOffDates;
  const from = earliest === latest ? '' : `${formatCalendarDate(earliest)} to `;
  return `, ${from}${formatCalendarDate(latest)}`;
}

/** Committed, called, distributed, NAV and net IRR. */
function capitalFigures(view: DashboardView): KeyFigure[] {
  const { funds, commitments, date } = view;
  const capital = (commitments ?? funds)?.capital;
  const last = (commitments ?? funds)?.course.points.at(-1);
  if (!capital) return [];
  const counted = commitments
    ? formatCount(new Set(commitments.positions.map(({ fundId }) => fundId)).size, 'fund')
    : formatCount(funds?.fundsTotal ?? 0, 'fund');
  return [
    {
      label: 'Committed',
      value: <ShortNumber value={last?.committed ?? null} unknown="No commitments recorded yet" zero="figure" />,
      unit: last ? capital.currency : null,
      note: `${counted}, as of ${formatCalendarDate(date)}`,
      ...(funds ? { to: paths.funds() } : {}),
    },
    ...capitalKeyFigures(capital),
  ];
}

/** The figures of the funds and of the lending, each in its own strip. */
export function FiguresStrip({
  view,
  sums,
}: {
  view: DashboardView;
  sums: { net: readonly Amount[]; availability: readonly Amount[] };
}) {
  const { lending, tapes, tenants } = view;
  const figures: KeyFigure[] = [];
  const capital = capitalFigures(view);
  if (tenants) {
    figures.push({ label: 'Managers', value: formatFigure(tenants.total), note: formatCount(tenants.users, 'user') });
  }
  if (lending?.maySeeBases) {
    const { based, notes, unavailable, asOf } = lending.totals;
    figures.push({
      label: 'Net borrowing base',
      ...total(sums.net, NO_BASE),
      note: `${based} of ${formatCount(notes, 'note')}${basesOf(lending.totals)}`,
      to: paths.monitoring(),
    });
    figures.push({
      label: AVAILABILITY_TODAY,
      ...total(sums.availability, based > 0 ? NO_BALANCE : NO_BASE),
      note:
        sums.availability.length > 0
          ? `${formatCalendarDate(asOf)}, ${notes - unavailable} of ${formatCount(notes, 'note')}`
          : 'no draws recorded yet',
      to: paths.monitoring(),
    });
  }
  if (view.nextTape) {
    const tape = view.nextTape;
    figures.push({
      label: 'Next tape',
      value: <span className="text-xl">{dueWords(tape)}</span>,
      note: `for ${formatCalendarDate(tape.cutOffDate)}, due ${formatCalendarDate(tape.dueDate)}`,
      ...(tape.state === 'Late' && !tape.isProcessing ? { tone: 'danger' as const } : {}),
      to: paths.newTape({ company: tape.companyId }),
    });
  }
  if (tapes) {
    const errored = tapes.erroredRows;
    figures.push({
      label: 'Loan tapes',
      value: formatFigure(tapes.total),
      note:
        errored > 0
          ? `${formatCount(errored, 'errored row')} in the latest tapes`
          : 'no errored rows in the latest tapes',
      ...(errored > 0 ? { tone: 'danger' as const } : {}),
      to: paths.tapes(),
    });
  }
  return (
    <>
      {capital.length > 0 ? <KeyFigures label="Key figures of the funds" figures={capital} /> : null}
      {figures.length > 0 ? <KeyFigures figures={figures} /> : null}
    </>
  );
}
