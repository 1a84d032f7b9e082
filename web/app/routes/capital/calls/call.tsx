import { redirect } from '@remix-run/node';
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
import {
  addDefaultInterest,
  defaultInterestOf,
  removeDefaultInterest,
} from '@tapeline/db/operations/cash/default-interest.ts';
import { listObligations } from '@tapeline/db/operations/cash/obligations.ts';
import type { Session } from '@tapeline/db/store.ts';
import { interestOf } from '@tapeline/domain/capital/capital-figures.ts';
import { CALL_PURPOSE_LABELS } from '@tapeline/domain/capital/kinds.ts';
import { labelOf } from '@tapeline/domain/documents/labels.ts';
import { add, isZero, sum } from '@tapeline/domain/money/decimal.ts';
import { DateText, Money } from '../../../components/figures/figures.tsx';
import { ActionForm } from '../../../components/forms/action-form.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Pagination } from '../../../components/page/pagination.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { act, intent } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { LateInterest } from '../../cash/default-interest.tsx';
import { paidOf } from '../../cash/paid.server.ts';
import { PaidSection } from '../../cash/paid-section.tsx';
import { stepForm } from '../header-actions.ts';
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
  const { obligations } = await listObligations(session, { documents: issued.map(({ id }) => id) });
  const netOf = new Map(obligations.map(({ documentId, amount, netted }) => [documentId, { amount, netted }]));
  return issued.flatMap(({ id, amount, purposes, currency, dueDate, investor }) => {
    const net = netOf.get(id);
    // A distribution pays all of it.
    if (net && !isZero(net.netted) && isZero(net.amount)) return [];
    return [
      {
        id,
        amount: net?.amount ?? add(amount, interestOf(purposes)),
        currency,
        dueDate,
        investor: investor?.title ?? null,
        payment: payments.get(id) ?? null,
      },
    ];
  });
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
    late: await lateOfCall(session, id, views),
    payments: await paymentsOf(session, views),
    paid: await paidOf(session, { kind: 'contribution', activity: id }),
    /** Whether its interest is on overdue calls, not for having closed later. */
    lateInterest: views.some(({ defaultInterest }) => defaultInterest.length > 0),
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

/** Default interest: on what is late of an issued call, and what a draft can ask for, of what its investors paid late. */
async function lateOfCall(session: Session, id: string, views: readonly ContributionView[]) {
  const own = await defaultInterestOf(session, { activity: id });
  const isDraft = views.length > 0 && views.every(({ status }) => status === 'Draft');
  const left = isDraft ? await defaultInterestOf(session, { draft: id }) : [];
  return { own, left: left.filter(({ rest }) => !isZero(rest)), isDraft };
}

const interestIntent = (change: typeof addDefaultInterest) =>
  intent({
    permission: 'contributions/write',
    schema: stepForm,
    async run({ headerVersion: version }, { db, params: { id = '' } }) {
      await db((session) => change(session, { id, version }));
      return redirect(paths.capitalCall(id));
    },
  });

export const action = act({
  ...headerIntents({
    table: 'contributions',
    step: stepCall,
    remove: removeCall,
    pathOf: paths.capitalCall,
    list: () => paths.capitalCalls(),
  }),
  addInterest: interestIntent(addDefaultInterest),
  removeInterest: interestIntent(removeDefaultInterest),
});

export default function CallPage() {
  const page = useLoaderData<typeof loader>();
  if (!('withdrawn' in page)) return <Call page={page} />;
  return (
    <WithdrawnPage
      title={`Capital call ${page.callNumber}`}
      {...page.withdrawn}
      again={page.again ? { label: 'The call as issued again', to: paths.capitalCall(page.again) } : null}
      backTo={{ label: 'All capital calls', to: paths.capitalCalls() }}
    />
  );
}

type Issued = Exclude<ReturnType<typeof useLoaderData<typeof loader>>, { withdrawn: unknown }>;

function Call({ page }: { page: Issued }) {
  const { currency, purposes, payments, interest, shares, total, isInvestor, lateInterest } = page;
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
                label: isInvestor && !page.netting ? 'To pay' : 'This call',
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
          title={lateInterest ? 'Default interest' : 'Equalization interest'}
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
      {lateInterest && page.late.isDraft && page.mayWrite ? (
        <div className="mb-[26px]">
          <ActionForm intent="removeInterest" values={{ headerVersion: String(page.version) }}>
            Take out the default interest
          </ActionForm>
        </div>
      ) : null}
      {page.late.left.length > 0 && !lateInterest ? (
        <LateInterest
          calls={page.late.left}
          title="Default interest not charged yet"
          more={
            page.mayWrite ? (
              <ActionForm intent="addInterest" values={{ headerVersion: String(page.version) }}>
                Add to this call
              </ActionForm>
            ) : null
          }
        />
      ) : null}
      <PaidSection paid={page.paid} title="Payments" />
      <LateInterest calls={page.late.own} title="Default interest" />
      <Purposes
        lines={purposes.map(({ title, kind, amount }) => ({ title, kind: labelOf(CALL_PURPOSE_LABELS, kind), amount }))}
        currency={currency}
        whole={isInvestor && interest.length === 0 && !page.netting ? 'To pay' : 'This call'}
      />
    </HeaderPage>
  );
}
