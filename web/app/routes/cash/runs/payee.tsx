import { redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { getCompany } from '@tapeline/db/operations/companies/companies.ts';
import { chooseBorrowerAccount, payoutStateOf } from '@tapeline/db/operations/investors/payout-accounts.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { payoutAccountSchema } from '@tapeline/domain/investors/investor-record.schema.ts';
import { PAYOUT_STATE_LABELS } from '@tapeline/domain/investors/record-labels.ts';
import { isCurrencyCode } from '@tapeline/domain/money/minor-units.ts';
import { IntentForm } from '../../../components/forms/intent-form.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Panel, PanelSection } from '../../../components/page/section.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';

export const handle = named('Account of a borrower');

/** Where draws of a borrower in the currency of the address are paid to. */
export const loader = readScreen('companies/write', ({ db, params, url, actor }) => {
  if (actor.type === 'company') throw new Refusal('forbidden', 'The lender chooses where draws are paid to');
  const currency = url.searchParams.get('currency') ?? '';
  if (!isCurrencyCode(currency)) throw new Refusal('notFound');
  return db(async (session) => {
    const { name, entity, payoutAccounts } = await getCompany(session, params.company ?? '');
    const chosen = payoutAccounts.find((one) => one.currency === currency);
    return {
      name,
      currency,
      accounts: [...new Set(entity.banks.map(({ title }) => title))],
      chosen: chosen ? { account: chosen.account, state: payoutStateOf(chosen) } : null,
      from: url.searchParams.get('from'),
    };
  });
});

export const action = act({
  choose: intent({
    permission: 'companies/write',
    schema: payoutAccountSchema,
    async run(body, { db, url, params: { company = '' } }) {
      await db((session) => chooseBorrowerAccount(session, { id: company, ...body }));
      return redirect(paths.newPaymentRun({ account: url.searchParams.get('from') ?? undefined }));
    },
  }),
});

export default function PayeeAccount() {
  const { name, currency, accounts, chosen, from } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title={`Account of ${name}`}
        facts={[
          `draws in ${currency}`,
          chosen ? `${chosen.account}: ${PAYOUT_STATE_LABELS[chosen.state].toLowerCase()}` : 'no account is chosen',
        ]}
      />
      {accounts.length === 0 ? (
        <Panel>
          <EmptyState title="No bank details">Add a bank account to the organization of the borrower first.</EmptyState>
        </Panel>
      ) : (
        <PanelSection title="Where draws are paid to" padded className="max-w-2xl">
          <IntentForm
            intent="choose"
            sent={{ currency }}
            values={{ account: chosen?.account ?? '' }}
            lines={[
              {
                name: 'account',
                label: 'Bank account',
                choices: accounts.map((title) => ({ value: title, label: title })),
                empty: 'Choose an account',
                hint: 'A second person confirms it in Approvals before it is paid',
              },
            ]}
            submit="Choose account"
            submitting="Saving"
            cancelTo={paths.newPaymentRun({ account: from ?? undefined })}
          />
        </PanelSection>
      )}
    </>
  );
}
