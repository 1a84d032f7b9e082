import { Link } from '@remix-run/react';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { subtract } from '@tapeline/domain/money/decimal.ts';
import { CHANGE_LABELS } from '@tapeline/domain/pools/changes.ts';
import {
  DEPARTURES,
  POOL_PART_LABELS,
  partMoveLabel,
  ROLL_LINE_LABELS,
  type RollLine,
} from '@tapeline/domain/pools/roll-forward.ts';
import { Mono } from '../../../../components/figures/figures.tsx';
import { formatCount } from '../../../../components/figures/format.ts';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Pagination } from '../../../../components/page/pagination.tsx';
import { MoreLink } from '../../../../components/page/section.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import { LISTED_ASSETS, type ShownPair } from '../shown-pair.ts';
import type { ForwardView } from '../tape-head.ts';

/** Lines of loans of which a person says what happened. */
const WHAT_LEFT: ReadonlySet<RollLine> = new Set(['left', ...DEPARTURES]);

type List = NonNullable<NonNullable<ForwardView['rolled']>['list']>;
type Asset = List['assets'][number];

function titleOf({ change, line, from, to }: List): string {
  if (change) return CHANGE_LABELS[change];
  if (line) return ROLL_LINE_LABELS[line];
  return from && to ? partMoveLabel({ from, to }) : 'Assets';
}

const moneyOf = (side: Asset['before']) =>
  side?.balance && side.currency ? { sum: side.balance, currency: side.currency } : null;

/** The balance of an asset that is on one tape changed by all of it. Between two currencies there is no change to show. */
function changeOf({ before, after }: Asset) {
  const [was, is] = [moneyOf(before), moneyOf(after)];
  if (!before) return is;
  if (!after) return was && { ...was, sum: subtract('0', was.sum) };
  return was && is && was.currency === is.currency ? { ...is, sum: subtract(is.sum, was.sum) } : null;
}

const notOn = (side: Asset['before']) => (side ? 'The tape has no balance for it' : 'Not on the tape');
const partOf = (side: Asset['before']) => (side ? POOL_PART_LABELS[side.part] : 'not reported');

/** The assets behind a figure, each with a link to the asset in the grid. */
export function ForwardAssets({ list, pair, explains }: { list: List; pair: ShownPair; explains: boolean }) {
  const [before, after] = [formatCalendarDate(pair.before), formatCalendarDate(pair.after)];
  const title = titleOf(list);
  return (
    <TableSection
      title={title}
      note={formatCount(list.total, 'asset')}
      more={
        <span className="flex flex-wrap gap-3">
          {explains && list.line && WHAT_LEFT.has(list.line) ? (
            <MoreLink to={paths.tapeDepartures(pair.tapeId)}>Say what happened</MoreLink>
          ) : null}
          <Link
            to={paths.tapeForward(pair.tapeId, { against: pair.against })}
            preventScrollReset
            className="hover:underline"
          >
            Close
          </Link>
        </span>
      }
      caption={`Assets: ${title}`}
      rows={list.assets}
      rowKey={({ tapeId, id }) => `${tapeId} ${id}`}
      rowTo={({ tapeId, id }) => paths.tape(tapeId, { asset: id })}
      columns={[
        { head: 'Asset', cell: ({ assetId }) => (assetId ? <Mono>{assetId}</Mono> : 'No id') },
        ...(list.change
          ? [
              { head: `Value ${before}`, cell: ({ was }: Asset) => was },
              { head: `Value ${after}`, cell: ({ is }: Asset) => is },
            ]
          : []),
        { head: 'Part before', quiet: true, wideOnly: true, cell: (asset) => partOf(asset.before) },
        { head: 'Part after', quiet: true, wideOnly: true, cell: (asset) => partOf(asset.after) },
        {
          head: `Balance ${before}`,
          money: (asset) => moneyOf(asset.before),
          withCurrency: true,
          unknown: (asset) => notOn(asset.before),
          zero: 'figure',
        },
        {
          head: `Balance ${after}`,
          money: (asset) => moneyOf(asset.after),
          withCurrency: true,
          unknown: (asset) => notOn(asset.after),
          zero: 'figure',
        },
        { head: 'Change', money: changeOf, unknown: 'A balance is unknown, or in another currency' },
      ]}
      empty={<EmptyState title="No assets">No asset is on this line.</EmptyState>}
      below={<Pagination total={list.total} limit={LISTED_ASSETS} noun="assets" />}
    />
  );
}
