import { ShortNumber, Unknown } from '../../components/figures/figures.tsx';
import { type KeyFigure, KeyFigures } from '../../components/page/key-figures.tsx';
import type { DashboardView, Total } from '../../dashboard.server.ts';
import { formatCount, formatFigure } from '../../figures/format.ts';
import { paths } from '../../paths.ts';

const NO_BALANCE = 'Draws and repayments are not recorded yet';
const NO_BASE = 'No borrowing base has been calculated yet';

/** A total as the strip shows it; amounts of several currencies do not add up, so each says its own. */
function total(totals: readonly Total[], unknown: string): Pick<KeyFigure, 'value' | 'unit'> {
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

export function FiguresStrip({
  view,
  sums,
}: {
  view: DashboardView;
  sums: { net: readonly Total[]; availability: readonly Total[]; committed: readonly Total[]; own: readonly Total[] };
}) {
  const { lending, tapes, funds, commitments, tenants } = view;
  const figures: KeyFigure[] = [];
  if (tenants) {
    figures.push({ label: 'Managers', value: formatFigure(tenants.total), note: formatCount(tenants.users, 'user') });
  }
  if (commitments) {
    figures.push({
      label: 'Committed',
      ...total(sums.own, 'No commitment is recorded yet'),
      note: formatCount(commitments.length, 'commitment'),
    });
    figures.push({ label: 'Funds', value: formatFigure(new Set(commitments.map(({ fundId }) => fundId)).size) });
  } else if (funds) {
    figures.push({
      label: 'Committed',
      ...total(sums.committed, 'No commitment is recorded yet'),
      note: `${formatCount(funds.total, 'fund')}, ${formatCount(
        funds.committed.reduce((count, one) => count + one.count, 0),
        'commitment',
      )}`,
    });
  }
  if (lending?.maySeeBases) {
    const based = lending.notes.filter(({ netBB }) => netBB).length;
    figures.push({
      label: 'Net borrowing base',
      ...total(sums.net, NO_BASE),
      note: `latest of ${based} of ${formatCount(lending.notes.length, 'note')}`,
      to: paths.monitoring(),
    });
    figures.push({
      label: 'Availability',
      ...total(sums.availability, based > 0 ? NO_BALANCE : NO_BASE),
      note: sums.availability.length > 0 ? 'net borrowing base less balance' : 'no draws recorded yet',
    });
  }
  if (tapes) {
    // The first of each company, as the latest cut-off comes first: an older tape's rows wait for nobody.
    const latest = new Map(tapes.latest.toReversed().map((tape) => [tape.company, tape.counts?.errored ?? 0]));
    const errored = [...latest.values()].reduce((count, rows) => count + rows, 0);
    figures.push({
      label: 'Loan tapes',
      value: formatFigure(tapes.total),
      note:
        errored > 0
          ? `${formatCount(errored, 'errored row')} in the latest of each company`
          : 'no errored rows in the latest',
      ...(errored > 0 ? { tone: 'danger' as const } : {}),
      to: paths.tapes(),
    });
  }
  return figures.length > 0 ? <KeyFigures figures={figures} /> : null;
}
