import { Link } from '@remix-run/react';
import type { shownRequest } from '@tapeline/db/operations/investors/account-requests.ts';
import type { shownPayout } from '@tapeline/db/operations/investors/payout-accounts.ts';
import { ACCOUNT_REQUEST_STATUS_LABELS, PAYOUT_STATE_LABELS } from '@tapeline/domain/investors/record-labels.ts';
import { paths } from '../../paths.ts';
import { Mono } from '../figures/figures.tsx';
import { Chip, type Tone } from '../page/chip.tsx';
import { EmptyState } from '../page/empty-state.tsx';
import { MoreLink } from '../page/section.tsx';
import { TableSection } from '../tables/data-table.tsx';

type Request = ReturnType<typeof shownRequest>;

const REQUEST_TONES: Readonly<Record<Request['status'], Tone>> = {
  Requested: 'warning',
  Accepted: 'good',
  Declined: 'danger',
  Withdrawn: 'neutral',
};

export interface PayoutAccountsShown {
  readonly accounts: readonly ReturnType<typeof shownPayout>[];
  /** What the party asked for: requests that wait for a decision, then the latest. */
  readonly requests: readonly Request[];
  /** Whether the reader decides about accounts. */
  readonly decides: boolean;
  /** Where the reader asks for another account; null for who cannot. */
  readonly askTo: string | null;
}

const Account = ({ account, ending }: { account: string; ending: string }) => (
  <>
    {account} <Mono>…{ending}</Mono>
  </>
);

const Review = ({ id }: { id: string }) => (
  <Link to={paths.approval('payoutAccount', id)} className="tap-text text-accent hover:underline">
    Review in Approvals
  </Link>
);

/**
 * Where an investor or a borrower is paid, and which other accounts it asked for.
 * @param pays what is paid to them: "distributions"
 */
export function PayoutAccounts({
  accounts,
  requests,
  decides,
  askTo,
  pays,
}: PayoutAccountsShown & { pays: 'distributions' | 'draws' }) {
  return (
    <>
      <TableSection
        title="Pay-out accounts"
        note={`Where ${pays} are paid`}
        narrow="list"
        more={askTo ? <MoreLink to={askTo}>Request a different account</MoreLink> : undefined}
        rows={accounts}
        rowKey={(row) => row.currency}
        empty={
          <EmptyState title="No pay-out account">
            {pays === 'distributions'
              ? 'Distributions do not name where they are paid.'
              : 'Draws are paid once an account is confirmed.'}
          </EmptyState>
        }
        columns={[
          { head: 'Currency', name: (row) => row.currency },
          { head: 'Bank account', cell: (row) => <Account {...row} /> },
          {
            head: 'State',
            cell: (row) => (
              <Chip tone={row.state === 'confirmed' ? 'good' : 'warning'}>{PAYOUT_STATE_LABELS[row.state]}</Chip>
            ),
          },
          { head: 'Chosen by', cell: (row) => row.chosenBy },
          {
            head: 'Confirmed by',
            cell: (row) =>
              row.confirmedBy ?? (decides ? <Review id={row.id} /> : <span className="text-ink-3">Nobody yet</span>),
          },
        ]}
      />
      {requests.length > 0 ? (
        <TableSection
          title="Requested accounts"
          note="A request takes effect once the manager accepts it"
          narrow="list"
          rows={requests}
          rowKey={(row) => row.id}
          columns={[
            { head: 'Currency', name: (row) => row.currency },
            { head: 'Bank account', cell: (row) => <Account {...row} /> },
            {
              head: 'State',
              cell: (row) => (
                <>
                  <Chip tone={REQUEST_TONES[row.status]}>{ACCOUNT_REQUEST_STATUS_LABELS[row.status]}</Chip>
                  {row.reason ? <span className="block text-xs text-ink-2">{row.reason}</span> : null}
                </>
              ),
            },
            { head: 'Requested by', cell: (row) => row.requestedBy },
            { head: 'Requested on', date: (row) => row.requestedAt.slice(0, 10) },
            {
              head: 'Decided by',
              cell: (row) => row.decidedBy ?? (decides && row.status === 'Requested' ? <Review id={row.id} /> : null),
            },
          ]}
        />
      ) : null}
    </>
  );
}
