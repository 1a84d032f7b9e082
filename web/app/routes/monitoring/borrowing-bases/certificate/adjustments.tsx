import { Link } from '@remix-run/react';
import type { ShownAdjustment } from '@tapeline/db/operations/borrowing-bases/adjustments.ts';
import { REQUEST_STATUS_LABELS } from '@tapeline/domain/approvals/request-status.ts';
import { sum } from '@tapeline/domain/money/decimal.ts';
import { DateText, Money, Name } from '../../../../components/figures/figures.tsx';
import { ActionForm } from '../../../../components/forms/action-form.tsx';
import { Chip } from '../../../../components/page/chip.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';

const TONES = { Requested: 'warning', Approved: 'good', Declined: 'danger', Withdrawn: undefined } as const;

/** What people changed of the certificate, and what waits for a second person. */
export function Adjustments({
  currency,
  adjustments,
  adjusts,
}: {
  currency: string;
  adjustments: readonly (ShownAdjustment & { readonly isOwn: boolean })[];
  /** Whether the reader adjusts certificates, and decides about adjustments of others. */
  adjusts: boolean;
}) {
  if (adjustments.length === 0) return null;
  const approved = adjustments.filter(({ status }) => status === 'Approved');
  return (
    <TableSection
      title="Adjustments"
      note={`${currency} · added to the available base once a second person approves`}
      narrow="list"
      rows={adjustments}
      rowKey={(row) => row.id}
      columns={[
        {
          head: 'Reason',
          cell: (row) => (
            <>
              <span className="block whitespace-normal">{row.reason}</span>
              {row.document ? (
                <a href={paths.download(row.document)} className="tap-text text-xs text-accent hover:underline">
                  Document
                </a>
              ) : null}
              {row.declineReason ? (
                <span className="block text-xs text-ink-2">Declined: {row.declineReason}</span>
              ) : null}
            </>
          ),
          total: 'Approved',
        },
        {
          head: 'Entered',
          cell: (row) => (
            <>
              <Name>{row.enteredBy}</Name>, <DateText value={row.enteredAt} time />
            </>
          ),
          wideOnly: true,
          total: '',
        },
        {
          head: 'State',
          cell: (row) => (
            <span className="flex flex-wrap items-center gap-2">
              <Chip tone={TONES[row.status]}>{REQUEST_STATUS_LABELS[row.status]}</Chip>
              {row.decidedBy && row.status !== 'Withdrawn' ? (
                <span className="text-xs text-ink-2">by {row.decidedBy}</span>
              ) : null}
              {row.status !== 'Requested' || !adjusts ? null : row.isOwn ? (
                <ActionForm intent="withdrawAdjustment" values={{ adjustment: row.id }} tone="quiet">
                  Withdraw
                </ActionForm>
              ) : (
                <Link to={paths.approval('adjustment', row.id)} className="tap-text text-accent hover:underline">
                  Review
                </Link>
              )}
            </span>
          ),
          total: '',
        },
        {
          head: 'Amount',
          numeric: true,
          cell: (row) => <Money value={row.amount} zero="figure" />,
          total:
            approved.length > 0 ? (
              <Money value={{ sum: sum(approved.map(({ amount }) => amount.sum)), currency }} />
            ) : (
              ''
            ),
        },
      ]}
    />
  );
}
