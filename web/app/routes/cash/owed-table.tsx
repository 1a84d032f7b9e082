import type { Obligation, ObligationSums } from '@tapeline/db/operations/cash/obligations.ts';
import { DIFFERENCE_LABELS, obligationStateLabel } from '@tapeline/domain/cash/labels.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { isZero } from '@tapeline/domain/money/decimal.ts';
import { DateText } from '../../components/figures/figures.tsx';
import { formatCount } from '../../components/figures/format.ts';
import { Chip, type Tone } from '../../components/page/chip.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { paths } from '../../paths.ts';

/** What a page shows of an obligation. */
export type ShownObligation = Pick<
  Obligation,
  | 'documentId'
  | 'reference'
  | 'amount'
  | 'netted'
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
  ...pick(one, 'documentId', 'reference', 'amount', 'netted', 'currency', 'dueDate', 'allocated', 'difference'),
  ...pick(one, 'open', 'paidOn', 'state', 'daysLate'),
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

export function ObligationChip({
  daysLate,
  ...owed
}: Pick<ShownObligation, 'state' | 'daysLate'> & Partial<Pick<ShownObligation, 'amount' | 'netted'>>) {
  const { state } = owed;
  const late = state === 'overdue' ? `, ${formatCount(daysLate, 'day')}` : '';
  return <Chip tone={TONES[state]}>{`${obligationStateLabel(owed)}${late}`}</Chip>;
}

/** What each party owes or is owed in one currency, what was paid, and what is open. */
export function OwedTable({
  rows,
  totals,
  caption,
  paid,
  mayOpen,
}: {
  rows: readonly ShownObligation[];
  /** Of all that the table shows a page of. */
  totals: ObligationSums;
  caption: string;
  /** What paid is called: "Received" or "Paid". */
  paid: string;
  /** Whether the actor may open the page of an amount. */
  mayOpen: boolean;
}) {
  return (
    <DataTable
      narrow="cards"
      caption={caption}
      rows={rows}
      rowKey={({ documentId, currency }) => `${documentId}/${currency}`}
      rowTo={({ documentId, currency }) => (mayOpen ? paths.obligation(documentId, { currency }) : null)}
      columns={[
        {
          head: 'Party',
          card: 'name',
          name: ({ party }) => party,
          length: 36,
          total: formatCount(totals.count, 'amount'),
        },
        { head: 'Reference', quiet: true, cell: ({ reference }) => reference },
        { head: 'Due', card: 'date', date: ({ dueDate }) => dueDate },
        ...(isZero(totals.netted)
          ? []
          : [{ head: 'Netted', quiet: true, money: ({ netted }: ShownObligation) => netted, total: totals.netted }]),
        { head: 'Expected', money: ({ amount }) => amount, total: totals.amount },
        { head: paid, money: ({ allocated }) => allocated, total: totals.allocated },
        { head: 'Date', quiet: true, cell: ({ paidOn }) => (paidOn ? <DateText value={paidOn} /> : '–') },
        { head: 'Open', card: 'amount', money: ({ open }) => open, total: totals.open },
        { head: 'State', card: 'state', cell: (row) => <ObligationChip {...row} /> },
        { head: 'Difference', quiet: true, cell: ({ reason }) => (reason ? DIFFERENCE_LABELS[reason] : '–') },
      ]}
    />
  );
}
