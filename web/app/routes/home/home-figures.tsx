import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { AVAILABILITY_AFTER_REQUESTS, AVAILABILITY_TODAY } from '@tapeline/domain/facilities/position-labels.ts';
import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import { isZero } from '@tapeline/domain/money/decimal.ts';
import { NO_NAV } from '@tapeline/domain/returns/irr.ts';
import { ShortNumber, Unknown } from '../../components/figures/figures.tsx';
import { formatCount, formatFigure, formatShort } from '../../components/figures/format.ts';
import { type KeyFigure, KeyFigures } from '../../components/page/key-figures.tsx';
import { paths } from '../../paths.ts';
import { dueWords } from '../monitoring/overview/tape-due-words.ts';
import type { HomeView } from './home.server.ts';

const NO_BALANCE = 'No draws or repayments recorded yet';
const NO_BASE = 'No borrowing base calculated yet';

type Totals = NonNullable<HomeView['lending']>['totals'];
type Capital = NonNullable<HomeView['funds']>['capital'];

/** How much of a total is known: "3 of 4 notes"; all of them without the first number. */
export const partOf = (known: number, of: number, noun: string): string =>
  known < of ? `${formatFigure(known)} of ${formatCount(of, noun)}` : formatCount(of, noun);

/**
 * A total by currency: the largest, and the others in the note. Amounts in several currencies are never added up.
 * @param notes what else the note says
 */
function byCurrency(
  totals: readonly Amount[],
  unknown: string,
  notes: readonly string[],
): Pick<KeyFigure, 'value' | 'unit' | 'note'> {
  const [largest, ...others] = totals.toSorted((a, b) => Number(b.sum) - Number(a.sum));
  if (!largest) return { value: <Unknown reason={unknown} />, note: unknown };
  return {
    value: <ShortNumber value={largest.sum} digits={2} zero="figure" />,
    unit: largest.currency,
    note: [...others.map(({ sum, currency }) => `and ${formatShort(sum)} ${currency}`), ...notes].join(', '),
  };
}

function drawn({ balance, notes, unknownBalances }: Totals, label: string): KeyFigure {
  return {
    label,
    ...byCurrency(balance, NO_BALANCE, [partOf(notes - unknownBalances, notes, 'note')]),
    to: paths.monitoring(),
  };
}

function available({ availability, notes, unavailable, deficits }: Totals): KeyFigure {
  return {
    label: AVAILABILITY_TODAY,
    ...byCurrency(availability, NO_BASE, [partOf(notes - unavailable, notes, 'note')]),
    ...(deficits > 0 ? { tone: 'danger' as const } : {}),
    to: paths.monitoring(),
  };
}

/** Only the count of what a total covers; its name says which parts are missing. */
const shortCover = (covers: string | null): string | null => covers?.split(',')[0] ?? null;

function nav(capital: Capital): KeyFigure {
  return {
    label: 'Net asset value',
    value: <ShortNumber value={capital.nav} digits={2} zero="figure" unknown={NO_NAV} />,
    unit: capital.nav === null ? null : capital.currency,
    note: [capital.navDate ? `from ${formatCalendarDate(capital.navDate)}` : null, shortCover(capital.covers)]
      .filter(Boolean)
      .join(', '),
  };
}

function netIrr({ netIrr: { percent, reason }, tvpi, covers }: Capital): KeyFigure {
  return {
    label: 'Net IRR',
    value: percent === null ? <Unknown reason={reason} /> : formatFigure(percent, 2),
    unit: percent === null ? null : '%',
    note:
      [tvpi === null ? null : `TVPI ${Number(tvpi).toFixed(2)}x`, shortCover(covers)].filter(Boolean).join(', ') ||
      null,
  };
}

const unfunded = (capital: Capital, committed: string | null): KeyFigure => ({
  label: 'Unfunded',
  value: <ShortNumber value={capital.unfunded} digits={2} zero="figure" />,
  unit: capital.currency,
  note: committed === null ? null : `of ${formatShort(committed, 2)} committed`,
});

/** Five figures of a manager's people: of the funds, of the lending, or of both. */
function managerFigures({ funds, lending }: HomeView): KeyFigure[] {
  const committed = funds?.course.points.at(-1)?.committed ?? null;
  const ofFunds = funds ? [nav(funds.capital), netIrr(funds.capital), unfunded(funds.capital, committed)] : [];
  if (lending) {
    const { netBB, based, notes } = lending.totals;
    const net: KeyFigure = {
      label: 'Net borrowing base',
      ...byCurrency(netBB, NO_BASE, [partOf(based, notes, 'note')]),
      to: paths.borrowingBases(),
    };
    return [
      ...ofFunds,
      ...(funds || !lending.withBases ? [] : [net]),
      drawn(lending.totals, 'Drawn'),
      ...(lending.withBases ? [available(lending.totals)] : []),
    ];
  }
  if (!funds) return [];
  return [
    ...ofFunds,
    paid('Called', funds.capital.called, funds.capital),
    paid('Distributed', funds.capital.distributed, funds.capital),
  ];
}

const paid = (label: string, value: string, { currency }: Capital): KeyFigure => ({
  label,
  value: <ShortNumber value={value} digits={2} zero="figure" />,
  unit: currency,
});

/** What a borrower may draw and owes. Availability leaves out what is requested and not decided yet. */
function borrowerFigures({ lending, nextTape }: HomeView): KeyFigure[] {
  if (!lending) return [];
  const { totals } = lending;
  const waiting = totals.requested.filter(({ sum }) => !isZero(sum));
  const pending = waiting.map(({ sum, currency }) => `${formatShort(sum)} ${currency}`);
  return [
    {
      label: AVAILABILITY_AFTER_REQUESTS,
      ...byCurrency(totals.availabilityAfterRequests, NO_BASE, [
        partOf(totals.notes - totals.unavailable, totals.notes, 'note'),
        ...(pending.length > 0 ? [`less ${pending.join(' and ')} requested`] : []),
      ]),
    },
    ...(waiting.length > 0
      ? [
          {
            label: 'Requested',
            ...byCurrency(waiting, NO_BALANCE, ['waits for a decision']),
            to: paths.draws(),
          },
        ]
      : []),
    drawn(totals, 'You owe'),
    {
      label: 'Net borrowing base',
      ...byCurrency(totals.netBB, NO_BASE, [partOf(totals.based, totals.notes, 'note')]),
      to: paths.borrowingBases(),
    },
    ...(nextTape
      ? [
          {
            label: 'Next tape',
            value: <span className="text-xl">{dueWords(nextTape)}</span>,
            note: `for ${formatCalendarDate(nextTape.cutOffDate)}, due ${formatCalendarDate(nextTape.dueDate)}`,
            ...(nextTape.state === 'Late' && !nextTape.isProcessing ? { tone: 'danger' as const } : {}),
          },
        ]
      : []),
  ];
}

function investorFigures({ commitments }: HomeView): KeyFigure[] {
  if (!commitments || commitments.total === 0) return [];
  const { capital, course } = commitments;
  return [
    paid('Called', capital.called, capital),
    unfunded(capital, course.points.at(-1)?.committed ?? null),
    {
      ...paid('Distributed', capital.distributed, capital),
      note: capital.dpi === null ? null : `DPI ${Number(capital.dpi).toFixed(2)}x`,
    },
    nav(capital),
    netIrr(capital),
  ];
}

function installationFigures({ installation }: HomeView): KeyFigure[] {
  if (!installation) return [];
  const { total, users, workers, queued, failed, oldestSeconds, state } = installation;
  return [
    { label: 'Managers', value: formatFigure(total), to: paths.managers() },
    { label: 'Users', value: formatFigure(users), to: paths.users() },
    {
      label: 'Workers',
      value: formatFigure(workers),
      note: state.idleQueues.length === 0 ? 'all kinds of work are taken' : `none takes ${state.idleQueues.join(', ')}`,
      ...(state.idleQueues.length > 0 ? { tone: 'danger' as const } : {}),
    },
    {
      label: 'Failed steps',
      value: formatFigure(state.failures),
      note: 'last 30 days',
      ...(state.failures > 0 ? { tone: 'danger' as const } : {}),
      to: paths.jobs(),
    },
    {
      label: 'Mail to send',
      value: formatFigure(queued),
      note: [
        oldestSeconds > 60 ? `oldest ${formatCount(Math.floor(oldestSeconds / 60), 'minute')}` : null,
        `${formatFigure(state.held)} held`,
        `${formatFigure(failed)} failed`,
      ]
        .filter(Boolean)
        .join(', '),
      ...(state.held + failed > 0 ? { tone: 'danger' as const } : {}),
      to: paths.held(),
    },
  ];
}

/** Five key figures of the page. */
export function HomeFigures({ view }: { view: HomeView }) {
  const figures = [
    ...installationFigures(view),
    ...(view.type === 'company' ? borrowerFigures(view) : managerFigures(view)),
    ...investorFigures(view),
  ];
  return figures.length > 0 ? <KeyFigures figures={figures} /> : null;
}
