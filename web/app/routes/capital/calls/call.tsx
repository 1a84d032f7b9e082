import { useLoaderData } from '@remix-run/react';
import { getCallHeader, purposesOfCall } from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import {
  type ContributionView,
  callWarnings,
  listContributions,
  removeCall,
  stepCall,
} from '@tapeline/db/operations/capital/contributions.ts';
import { paymentDetailsOf } from '@tapeline/db/operations/capital/own-capital.ts';
import type { Session } from '@tapeline/db/store.ts';
import { interestOf } from '@tapeline/domain/capital/capital-figures.ts';
import { CALL_PURPOSE_LABELS } from '@tapeline/domain/capital/kinds.ts';
import { labelOf } from '@tapeline/domain/documents/labels.ts';
import { add, isZero, sum } from '@tapeline/domain/money/decimal.ts';
import { DateText, Money } from '../../../components/figures/figures.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Pagination } from '../../../components/page/pagination.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { act } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { paidOf } from '../../cash/paid.server.ts';
import { PaidSection } from '../../cash/paid-section.tsx';
import { readHeaderPage } from '../header-page.server.ts';
import { HeaderPage, LINES_PER_PAGE } from '../header-page.tsx';
import { headerIntents } from '../header-steps.server.ts';
import { NoticeLink } from '../own-documents.tsx';
import { PaymentFacts } from '../payment-facts.tsx';
import { Purposes } from '../purposes.tsx';
import { CallShares } from '../shares.tsx';
import { WithdrawnPage } from '../withdrawn-page.tsx';
import { callShareOf } from './call-entry.server.ts';

export const handle = named<typeof loader>(
  ({ callNumber }) => [`Call ${callNumber}`],
  (data) => `Capital call ${data.callNumber}`,
);

/** What the investor who is signed in pays, by investor; nothing for everyone else. */
async function paymentsOf(session: Session, views: readonly ContributionView[]) {
  const { actor } = session;
  if (actor.kind !== 'user' || actor.lpIds.length === 0) return [];
  const issued = views.filter(({ status }) => status !== 'Draft');
  const payments = await paymentDetailsOf(
    session,
    issued.map(({ id }) => id),
  );
  return issued.map(({ id, amount, purposes, currency, dueDate, investor }) => ({
    id,
    amount: add(amount, interestOf(purposes)),
    currency,
    dueDate,
    investor: investor?.title ?? null,
    payment: payments.get(id) ?? null,
  }));
}

export const loader = readHeaderPage({
  table: 'contributions',
  get: getCallHeader,
  list: listContributions,
  largest: 'amount',
  shareOf: callShareOf,
  warnings: callWarnings,
  more: async (session, { id }, views) => ({
    purposes: await purposesOfCall(session, id),
    payments: await paymentsOf(session, views),
    paid: await paidOf(session, { kind: 'contribution', activity: id }),
    interest: views
      .map(({ id: line, investor, purposes }) => ({
        id: line,
        investor: investor?.title ?? 'An investor',
        interest: interestOf(purposes),
      }))
      .filter(({ interest }) => !isZero(interest)),
  }),
  step: stepCall,
});

export const action = act(
  headerIntents({
    table: 'contributions',
    step: stepCall,
    remove: removeCall,
    pathOf: paths.capitalCall,
    list: () => paths.capitalCalls(),
  }),
);

export default function CallPage() {
  const page = useLoaderData<typeof loader>();
  if (!('withdrawn' in page)) return <Call page={page} />;
  return (
    <WithdrawnPage
      title={`Capital call ${page.callNumber}`}
      {...page.withdrawn}
      backTo={{ label: 'All capital calls', to: paths.capitalCalls() }}
    />
  );
}

type Issued = Exclude<ReturnType<typeof useLoaderData<typeof loader>>, { withdrawn: unknown }>;

function Call({ page }: { page: Issued }) {
  const { currency, purposes, payments, interest, shares, total, isInvestor } = page;
  return (
    <HeaderPage
      page={page}
      table="contributions"
      lead={payments.map(({ id, investor, ...payment }) => (
        <PaymentFacts key={id} investor={payments.length > 1 ? investor : null} {...payment} />
      ))}
      figures={
        payments.length > 0
          ? []
          : [
              {
                label: isInvestor ? 'To pay' : 'This call',
                value: <Money value={page.amount} zero="figure" />,
                unit: currency,
              },
              { label: 'Due', value: <DateText value={page.dueDate} /> },
            ]
      }
    >
      <PanelSection title={isInvestor ? 'Your share' : 'Each investor’s share'} note={currency}>
        <CallShares
          rows={shares}
          purposes={purposes.map(({ title }) => title)}
          currency={currency}
          isWhole={total === shares.length}
          showsShare={!isInvestor}
          notice={(row) => <NoticeLink id={row.noticeId} />}
        />
        <Pagination total={total} limit={LINES_PER_PAGE} noun="investors" />
      </PanelSection>
      {interest.length === 0 ? null : (
        <TableSection
          title="Equalization interest"
          note={`${currency}, paid on top of the call; it does not use any of the commitment`}
          narrow="list"
          rows={interest}
          columns={[
            { head: 'Investor', name: (row) => row.investor },
            {
              head: 'Interest',
              money: (row) => row.interest,
              ...(total === shares.length ? { total: sum(interest.map((row) => row.interest)) } : {}),
            },
          ]}
        />
      )}
      <PaidSection paid={page.paid} title="Payments" />
      <Purposes
        lines={purposes.map(({ title, kind, amount }) => ({ title, kind: labelOf(CALL_PURPOSE_LABELS, kind), amount }))}
        currency={currency}
        whole={isInvestor && interest.length === 0 ? 'To pay' : 'This call'}
      />
    </HeaderPage>
  );
}
