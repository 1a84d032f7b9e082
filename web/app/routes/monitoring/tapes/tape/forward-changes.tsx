import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { CHANGE_LABELS, CHANGE_SENTENCES } from '@tapeline/domain/pools/changes.ts';
import { Figure } from '../../../../components/figures/figures.tsx';
import { formatCount } from '../../../../components/figures/format.ts';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import type { ShownPair } from '../shown-pair.ts';
import type { ForwardView } from '../tape-head.ts';

type Rolled = NonNullable<ForwardView['rolled']>;

const quoted = (names: readonly string[]) => names.map((name) => `“${name}”`).join(' and ');

/** The changes that should not happen, by kind. A kind is not checked if a tape lacks its fields, and says so. */
export function ForwardChanges({ rolled: { changes, matched }, pair }: { rolled: Rolled; pair: ShownPair }) {
  return (
    <TableSection
      title="Changes that should not happen"
      note={`${formatCount(matched, 'asset')} on both tapes, ${formatCalendarDate(pair.before)} to ${formatCalendarDate(pair.after)}`}
      rows={changes}
      rowKey={({ kind }) => kind}
      rowTo={({ kind, count }) => (count ? paths.tapeForward(pair.tapeId, { against: pair.against, kind }) : null)}
      columns={[
        { head: 'Change', wraps: true, cell: ({ kind }) => CHANGE_LABELS[kind] },
        {
          head: 'Meaning',
          quiet: true,
          wraps: true,
          wideOnly: true,
          cell: ({ kind, count, needs }) =>
            count === null ? `Not checked: both tapes need ${quoted(needs)}.` : CHANGE_SENTENCES[kind],
        },
        {
          head: 'Compared',
          numeric: true,
          cell: ({ compared }) => <Figure value={compared} zero="figure" unknown="Not checked" />,
        },
        {
          head: 'Assets',
          numeric: true,
          cell: ({ count }) => <Figure value={count} zero="figure" unknown="Not checked" />,
        },
      ]}
    />
  );
}
