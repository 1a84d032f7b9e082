import { offsetNote } from '@tapeline/domain/borrowing-base/offset-note.ts';
import { type BorrowingBaseResult, heldBack } from '@tapeline/domain/borrowing-base/result.ts';
import { wholeGroupsNote } from '@tapeline/domain/borrowing-base/whole-groups-note.ts';
import { VALUE_POOL_LABELS } from '@tapeline/domain/facilities/pools.ts';
import { reserveBasis } from '@tapeline/domain/facilities/reserve-words.ts';
import { Figure, Money, Percent } from '../../../../components/figures/figures.tsx';
import { rateDigits } from '../../../../components/figures/format.ts';
import { TableSection } from '../../../../components/tables/data-table.tsx';

/** The same figures per scope. They add up to the totals. A contract without scopes has no breakdown. */
export function Scopes({ result }: { result: BorrowingBaseResult }) {
  const { scopes, totals, currency } = result;
  if (scopes.length < 2 && scopes[0]?.title === null) return null;
  const { pools } = totals;
  return (
    <TableSection
      title="Scopes"
      note={`${currency} · an asset belongs to the first scope it matches`}
      narrow="list"
      rows={scopes}
      rowKey={(scope) => scope.title ?? ''}
      columns={[
        { head: 'Scope', name: (scope) => scope.title ?? 'Every asset', total: 'All scopes' },
        { head: 'Assets', figure: (scope) => scope.pools.relevant.count, total: pools.relevant.count },
        { head: 'Relevant pool', money: (scope) => scope.pools.relevant.amount, total: pools.relevant.amount },
        {
          head: 'Eligible or performing',
          money: (scope) => scope.pools.eligibleOrPerforming.amount,
          total: pools.eligibleOrPerforming.amount,
        },
        { head: 'Gross borrowing base', money: (scope) => scope.firstBB, wideOnly: true, total: totals.firstBB },
        { head: 'Excess', money: (scope) => scope.excess, wideOnly: true, total: totals.excess },
        { head: 'Net borrowing base', money: (scope) => scope.netBB, total: totals.netBB },
      ]}
    >
      {totals.outOfScope.count > 0 ? (
        <p className="mt-2 text-xs text-ink-3">
          Out of scope: <Figure value={totals.outOfScope.count} /> assets,{' '}
          <Money value={totals.outOfScope.amount} withCurrency />.
        </p>
      ) : null}
    </TableSection>
  );
}

export function AdvanceRates({ result }: { result: BorrowingBaseResult }) {
  const { rulesTracking, totals, currency } = result;
  const digits = rateDigits(...rulesTracking.advancing.map(({ rate }) => rate));
  return (
    <TableSection
      title="Advance rates"
      note={`${currency} · after concentration limits`}
      rows={rulesTracking.advancing}
      rowKey={(row) => String(row.rule)}
      columns={[
        { head: 'Case', name: (row) => row.title, length: 40, total: 'All' },
        { head: 'Scope', quiet: true, wideOnly: true, cell: (row) => row.scope ?? 'All', total: '' },
        {
          head: 'Rate',
          numeric: true,
          cell: (row) => <Percent value={row.rate} digits={digits} zero="figure" />,
          total: (
            <Percent value={totals.weightedAdvanceRatePercent} digits={digits} unknown="No assets to advance against" />
          ),
        },
        {
          head: 'Assets',
          figure: (row) => row.taken.count,
          wideOnly: true,
          total: totals.pools.eligibleOrPerforming.count,
        },
        { head: 'Remaining', money: (row) => row.remaining, wideOnly: true, total: totals.remaining },
        { head: 'Advanced', money: (row) => row.advanced, total: totals.netBB },
      ]}
    />
  );
}

/** Groups of a rule on the page. The file has more. */
const GROUPS_SHOWN = 20;

/** The groups that a rule about whole groups excludes, each with the share that fails. */
export function WholeGroups({
  result,
  labels,
}: {
  result: BorrowingBaseResult;
  labels: Readonly<Record<string, string>>;
}) {
  return (result.wholeGroups ?? []).map((rule) => {
    const label = labels[rule.groupBy] ?? rule.groupBy;
    return (
      <TableSection
        key={rule.rule}
        title={rule.title}
        note={`${result.currency} · ${wholeGroupsNote(rule, Math.min(rule.groups.length, GROUPS_SHOWN))}`}
        rows={rule.groups.slice(0, GROUPS_SHOWN)}
        rowKey={(group) => group.key ?? ''}
        empty="No group fails this rule."
        columns={[
          { head: label, name: (group) => group.key ?? 'Unknown', length: 40 },
          { head: 'Assets', figure: (group) => group.count, wideOnly: true },
          { head: 'Amount', money: (group) => group.amount },
          { head: 'Failing', money: (group) => group.failing, wideOnly: true },
          { head: 'Share', percent: (group) => group.percentage },
        ]}
      />
    );
  });
}

/** What offsets take of each group, and what is left over. A certificate without offsets has none of it. */
export function Offsets({
  result: { totals, currency },
  labels,
}: {
  result: BorrowingBaseResult;
  labels: Readonly<Record<string, string>>;
}) {
  return (totals.offsets ?? []).map((offset) => (
    <TableSection
      key={offset.rule}
      title={offset.title}
      note={`${currency} · ${offsetNote(offset, labels, Math.min(offset.groups.length, GROUPS_SHOWN))}`}
      rows={offset.groups.slice(0, GROUPS_SHOWN)}
      rowKey={(group) => group.key ?? ''}
      empty="No group has an amount to take."
      columns={[
        {
          head: labels[offset.groupBy] ?? offset.groupBy,
          name: (group) => group.key ?? 'Unknown',
          length: 40,
          total: 'All groups',
        },
        { head: 'Assets', numeric: true, wideOnly: true, cell: (group) => <Figure value={group.count} />, total: '' },
        {
          head: 'Eligible before',
          numeric: true,
          wideOnly: true,
          cell: (group) => <Money value={group.eligible} />,
          total: '',
        },
        { head: 'To take', money: (group) => group.owed, wideOnly: true, total: offset.owed },
        { head: 'Taken', money: (group) => group.taken, total: offset.taken },
        { head: 'Left over', money: (group) => group.leftOver, total: offset.leftOver },
      ]}
    />
  ));
}

const UNKNOWN_RESERVE = 'The balance is not recorded, or figures of the last 12 months are missing';

/** What is held back of the net borrowing base. A certificate without reserves has none of it. */
export function Reserves({ result }: { result: BorrowingBaseResult }) {
  const { reserves } = result.totals;
  if (!reserves) return null;
  return (
    <TableSection
      title="Reserves"
      note={`${result.currency} · taken off the net borrowing base`}
      narrow="list"
      rows={reserves}
      rowKey={(row) => String(row.rule)}
      columns={[
        { head: 'Reserve', name: (row) => row.title, length: 40, total: 'All reserves' },
        { head: 'Calculated as', cell: (row) => reserveBasis(row), total: '' },
        {
          head: 'Of',
          numeric: true,
          wideOnly: true,
          cell: ({ base }) => (base ? <Money value={base} zero="figure" /> : null),
          total: '',
        },
        {
          head: 'Amount',
          money: (row) => row.amount,
          unknown: UNKNOWN_RESERVE,
          zero: 'figure',
          total: heldBack(reserves),
        },
      ]}
    />
  );
}

export function Values({ result, units }: { result: BorrowingBaseResult; units: Record<string, string> }) {
  return (
    <TableSection
      title="Values"
      rows={result.totals.values}
      rowKey={(value) => value.title}
      columns={[
        { head: 'Value', cell: (value) => <span title={`Pool: ${VALUE_POOL_LABELS[value.pool]}`}>{value.title}</span> },
        {
          head: 'Figure',
          numeric: true,
          cell: (value) =>
            value.currency ? (
              <Money
                value={value.value === null ? null : { sum: value.value, currency: value.currency }}
                withCurrency
              />
            ) : (
              <>
                <Figure value={value.value} digits={2} unknown="No asset in the pool has this field" />
                {value.value !== null && units[value.title] ? (
                  <small className="ml-1 text-ink-3">{units[value.title]}</small>
                ) : null}
              </>
            ),
        },
      ]}
    />
  );
}
