import type { Obligation } from '@tapeline/db/operations/cash/obligations.ts';
import { DIFFERENCE_LABELS, OBLIGATION_STATE_LABELS } from '@tapeline/domain/cash/labels.ts';
import { add, sum } from '@tapeline/domain/money/decimal.ts';
import type { ReactNode } from 'react';
import { DateText } from '../../components/figures/figures.tsx';
import { formatCount } from '../../components/figures/format.ts';
import { Chip, type Tone } from '../../components/page/chip.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';

/** What a page shows of an obligation. */
export type ShownObligation = Pick<
  Obligation,
  | 'documentId'
  | 'reference'
  | 'amount'
  | 'currency'
  | 'dueDate'
  | 'allocated'
  | 'difference'
  | 'open'
  | 'paidOn'
  | 'state'
  | 'daysLate'
> & { readonly party: string; readonly reason: keyof typeof DIFFERENCE_LABELS | null };

export const shownObligation = (one: Obligation): ShownObligation => ({
  documentId: one.documentId,
  reference: one.reference,
  amount: one.amount,
  currency: one.currency,
  dueDate: one.dueDate,
  allocated: one.allocated,
  difference: one.difference,
  open: one.open,
  paidOn: one.paidOn,
  state: one.state,
  daysLate: one.daysLate,
  party: one.party?.title ?? 'Not visible to you',
  reason: one.differences.find(({ reversedAt }) => reversedAt === null)?.reason ?? null,
});

const TONES: Readonly<Record<Obligation['state'], Tone>> = {
  upcoming: 'neutral',
  due: 'warning',
  partlyPaid: 'warning',
  paid: 'good',
  overdue: 'danger',
  untracked: 'neutral',
};

export function ObligationChip({ state, daysLate }: Pick<ShownObligation, 'state' | 'daysLate'>) {
  const late = state === 'overdue' ? `, ${formatCount(daysLate, 'day')}` : '';
  return <Chip tone={TONES[state]}>{`${OBLIGATION_STATE_LABELS[state]}${late}`}</Chip>;
}

/** What each party owes or is owed of one call, distribution or draw, what was paid, and what is open. */
export function OwedTable({
  rows,
  caption,
  paid,
  action,
}: {
  rows: readonly ShownObligation[];
  caption: string;
  /** What paid is called: "Received" or "Paid". */
  paid: string;
  action?: (row: ShownObligation) => ReactNode;
}) {
  const total = (key: 'amount' | 'allocated' | 'open') => sum(rows.map((row) => row[key]));
  return (
    <DataTable
      narrow="list"
      caption={caption}
      rows={rows}
      rowKey={({ documentId, currency }) => `${documentId}/${currency}`}
      columns={[
        { head: 'Party', name: ({ party }) => party, length: 36, total: formatCount(rows.length, 'amount') },
        { head: 'Reference', quiet: true, cell: ({ reference }) => reference },
        { head: 'Due', date: ({ dueDate }) => dueDate },
        { head: 'Expected', money: ({ amount }) => amount, total: total('amount') },
        { head: paid, money: ({ allocated }) => allocated, total: total('allocated') },
        { head: 'Date', quiet: true, cell: ({ paidOn }) => (paidOn ? <DateText value={paidOn} /> : '–') },
        { head: 'Open', money: ({ open }) => open, total: total('open') },
        { head: 'State', cell: (row) => <ObligationChip {...row} /> },
        { head: 'Difference', quiet: true, cell: ({ reason }) => (reason ? DIFFERENCE_LABELS[reason] : '–') },
        ...(action ? [{ head: 'Payment', cell: action }] : []),
      ]}
    />
  );
}

/** Received, short and overdue of several amounts in one currency. */
export const paidFigures = (rows: readonly ShownObligation[]) => ({
  expected: sum(rows.map(({ amount }) => amount)),
  received: sum(rows.map(({ allocated }) => allocated)),
  open: sum(rows.map(({ open }) => open)),
  overdue: sum(rows.filter(({ state }) => state === 'overdue').map(({ open }) => open)),
  accepted: rows.reduce((total, { difference }) => add(total, difference), '0'),
});
