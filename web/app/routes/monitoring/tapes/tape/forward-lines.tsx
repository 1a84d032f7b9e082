import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { type DecimalText, negate } from '@tapeline/domain/money/decimal.ts';
import {
  type ConvertedRoll,
  type CountedBalance,
  type CurrencyRoll,
  POOL_PART_LABELS,
  type PoolPart,
  partMoveLabel,
  ROLL_LINE_LABELS,
  type RollForward,
  type RollLine,
} from '@tapeline/domain/pools/roll-forward.ts';
import { Money } from '../../../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../../../components/figures/format.ts';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import { changedCount } from '../changed-count.ts';
import type { ShownPair } from '../shown-pair.ts';

const dayOf = (date: string) => formatCalendarDate(date);

/** A row of the table of one currency: the whole pool, and each part that has assets. */
interface Row {
  readonly key: string;
  readonly label: string;
  readonly count: string;
  readonly amount: DecimalText;
  readonly parts: ReadonlyMap<PoolPart, DecimalText>;
  readonly isLevel: boolean;
  readonly line?: RollLine;
}

function rowsOf({ opening, changes, closing, parts }: CurrencyRoll, { before, after }: ShownPair): Row[] {
  const byPart = (read: (part: CurrencyRoll['parts'][number]) => DecimalText) =>
    new Map(parts.map((part) => [part.part, read(part)]));
  const level = (label: string, size: CountedBalance, side: 'opening' | 'closing'): Row => ({
    key: side,
    label,
    count: formatFigure(size.count),
    amount: size.balance,
    parts: byPart((part) => part[side].balance),
    isLevel: true,
  });
  const moved = (label: string, side: 'movedIn' | 'movedOut'): Row => ({
    key: side,
    label,
    count: '',
    amount: '0',
    parts: byPart((part) => (side === 'movedIn' ? part.movedIn.balance : negate(part.movedOut.balance))),
    isLevel: false,
  });
  const shown = changes.filter(({ line }) => line !== 'unchanged');
  return [
    level(`Opening, ${dayOf(before)}`, opening, 'opening'),
    ...shown.map(
      (change): Row => ({
        key: change.line,
        label: ROLL_LINE_LABELS[change.line],
        count: changedCount(change),
        amount: change.change,
        parts: byPart((part) => part.changes.find(({ line }) => line === change.line)?.change ?? '0'),
        isLevel: false,
        line: change.line,
      }),
    ),
    ...(parts.length > 1
      ? [moved('Moved in from another part', 'movedIn'), moved('Moved out to another part', 'movedOut')]
      : []),
    level(`Closing, ${dayOf(after)}`, closing, 'closing'),
  ];
}

const bold = (isLevel: boolean) => (isLevel ? 'font-semibold' : undefined);

/** Opening, every change and closing in one currency, of the pool and of each of its parts. */
export function CurrencyTable({ roll, pair }: { roll: CurrencyRoll; pair: ShownPair }) {
  const { currency, changes, parts } = roll;
  const unchanged = changes.find(({ line }) => line === 'unchanged')?.after ?? 0;
  const money = (amount: DecimalText, isLevel: boolean) => (
    <span className={bold(isLevel)}>
      <Money value={{ sum: amount, currency }} zero={isLevel ? 'figure' : 'dash'} className="!text-inherit" />
    </span>
  );
  return (
    <TableSection
      title={`Roll-forward, ${currency}`}
      note={`${dayOf(pair.before)} to ${dayOf(pair.after)}; ${formatCount(unchanged, 'asset')} with an unchanged balance`}
      rows={rowsOf(roll, pair)}
      rowKey={({ key }) => key}
      rowTo={({ line }) => (line ? paths.tapeForward(pair.tapeId, { against: pair.against, line, currency }) : null)}
      columns={[
        { head: 'Change', wraps: true, cell: ({ label, isLevel }) => <span className={bold(isLevel)}>{label}</span> },
        {
          head: 'Assets',
          numeric: true,
          cell: ({ count, isLevel }) => <span className={bold(isLevel)}>{count}</span>,
        },
        { head: `Balance (${currency})`, numeric: true, cell: ({ amount, isLevel }) => money(amount, isLevel) },
        ...(parts.length > 1
          ? parts.map(({ part }) => ({
              head: POOL_PART_LABELS[part],
              numeric: true,
              cell: (row: Row) => money(row.parts.get(part) ?? '0', row.isLevel),
            }))
          : []),
      ]}
    />
  );
}

/** What the balances cover. */
export function WithoutBalances({ forward: { opening, closing }, pair }: { forward: RollForward; pair: ShownPair }) {
  const missing = [
    { date: pair.before, count: opening.count - opening.known },
    { date: pair.after, count: closing.count - closing.known },
  ].filter(({ count }) => count > 0);
  if (missing.length === 0) return null;
  const words = missing.map(({ date, count }) => `${formatCount(count, 'asset')} on ${dayOf(date)}`);
  return (
    <p className="-mt-4 mb-[26px] text-xs text-ink-3">
      The current balance of {words.join(' and ')} is unknown. These assets are in no balance.
    </p>
  );
}

/** The whole pool in one currency, with what the rates changed. */
export function TotalTable({ total, pair }: { total: ConvertedRoll; pair: ShownPair }) {
  const { currency, leftOut } = total;
  const rows = [
    { label: `Opening, ${dayOf(pair.before)}`, amount: total.opening, isLevel: true },
    ...total.changes
      .filter(({ line }) => line !== 'unchanged')
      .map(({ line, change }) => ({ label: ROLL_LINE_LABELS[line] as string, amount: change, isLevel: false })),
    { label: 'Exchange rates', amount: total.exchange, isLevel: false },
    { label: `Closing, ${dayOf(pair.after)}`, amount: total.closing, isLevel: true },
  ];
  return (
    <TableSection
      title={`All currencies, in ${currency}`}
      note="changes at the rates of the earlier tape, closing at those of the later one"
      rows={rows}
      rowKey={({ label }) => label}
      columns={[
        { head: 'Change', wraps: true, cell: ({ label, isLevel }) => <span className={bold(isLevel)}>{label}</span> },
        {
          head: `Balance (${currency})`,
          numeric: true,
          cell: ({ amount, isLevel }) => (
            <span className={bold(isLevel)}>
              <Money value={{ sum: amount, currency }} zero="figure" className="!text-inherit" />
            </span>
          ),
        },
      ]}
    >
      {leftOut.length > 0 ? (
        <p className="mt-2 text-xs text-ink-3">
          Without {leftOut.join(', ')}: one of the tapes has no exchange rate for it.
        </p>
      ) : null}
    </TableSection>
  );
}

/** Assets that are in another part of the pool than before. */
export function Moves({ currencies, pair }: { currencies: readonly CurrencyRoll[]; pair: ShownPair }) {
  const rows = currencies.flatMap(({ currency, moves }) => moves.map((move) => ({ ...move, currency })));
  if (rows.length === 0) return null;
  return (
    <TableSection
      title="Moves between parts"
      note={`assets on both tapes, with their balance on ${dayOf(pair.after)}`}
      rows={rows}
      rowKey={({ from, to, currency }) => `${from} ${to} ${currency}`}
      rowTo={({ from, to, currency }) => paths.tapeForward(pair.tapeId, { against: pair.against, from, to, currency })}
      columns={[
        { head: 'Move', cell: partMoveLabel },
        { head: 'Assets', numeric: true, cell: ({ count }) => formatFigure(count) },
        {
          head: 'Balance',
          money: ({ balance, currency }) => ({ sum: balance, currency }),
          withCurrency: true,
        },
      ]}
    />
  );
}
