import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { getBankAccount } from '@tapeline/db/operations/cash/bank-accounts.ts';
import { recordPayment } from '@tapeline/db/operations/cash/match-payments.ts';
import { listObligations } from '@tapeline/db/operations/cash/obligations.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { accountFits } from '@tapeline/domain/cash/account-rule.ts';
import { DIRECTION_LABELS } from '@tapeline/domain/cash/labels.ts';
import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { flagsAt } from '@tapeline/domain/errors/refusal.ts';
import { isZero, min } from '@tapeline/domain/money/decimal.ts';
import { SelectField, TextareaField, TextField } from '../../components/forms/fields.tsx';
import { FORM_GRID } from '../../components/forms/form-layout.ts';
import { FormPage } from '../../components/forms/form-page.tsx';
import { MoreDetails } from '../../components/forms/more-details.tsx';
import { PanelSection } from '../../components/page/section.tsx';
import { act, intent, readScreenOfManager } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { activeAccounts, openChoices, openLabel, partyChoices } from './cash-choices.server.ts';
import { obligationOfForm, paymentForm, paymentFormDescription, paymentOfForm } from './cash-forms.ts';
import { OpenSearch, PartySearches } from './cash-searches.tsx';

export const handle = { title: 'Record a payment' };

const LABELS = {
  bankAccount: 'Bank account',
  direction: 'Direction',
  amount: 'Amount',
  bookedOn: 'Booking date',
  obligation: 'What it pays',
  party: 'Party',
  counterpartyName: 'Name of the payer or payee',
  counterpartyAccount: 'Account of the payer or payee',
  remittance: 'Payment text',
  valuedOn: 'Value date',
  charges: 'Charges',
  bankReference: 'Bank reference',
  note: 'Note',
} as const;

/** A form for what one obligation is paid with has its amount, party and direction. */
export const loader = readScreenOfManager('payments/write', (screen) =>
  screen.db(async (session) => {
    const { searchParams } = screen.url;
    const wanted = searchParams.get('obligation');
    const { obligations } = wanted
      ? await listObligations(session, { documents: [wanted], currency: searchParams.get('currency') ?? undefined })
      : { obligations: [] };
    const paid = obligations[0] ?? null;
    const accounts = (await activeAccounts(session)).filter(
      ({ currency, fundId }) =>
        paid === null || (currency === paid.currency && accountFits(fundId ?? null, paid.fundIds)),
    );
    const suited = accounts.find(({ fundId }) => fundId === paid?.fund?.id) ?? accounts[0];
    const own = paid && { value: `${paid.kind}/${paid.documentId}`, label: openLabel([paid]) };
    const open = await openChoices(session, screen, paid ? { direction: paid.direction, currency: paid.currency } : {});
    return {
      accounts: accounts.map(({ id, title, currency: of, accountNumber }) => ({
        value: id,
        label: `${title} •••• ${accountNumber.slice(-4)}, ${of}`,
      })),
      parties: await partyChoices(session, screen, paid?.party ? [paid.party.id] : []),
      open: {
        ...open,
        choices: [...(own ? [own] : []), ...open.choices.filter(({ value }) => value !== own?.value)],
      },
      values: {
        bankAccount: suited?.id,
        direction: paid?.direction ?? 'in',
        bookedOn: todayOf(session),
        ...(paid
          ? {
              amount: paid.open,
              obligation: own?.value,
              party: paid.party && paid.party.kind !== 'fund' ? `${paid.party.kind}/${paid.party.id}` : undefined,
              counterpartyName: paid.party?.title ?? undefined,
            }
          : {}),
      },
    };
  }),
);

export const action = act({
  create: intent({
    permission: 'payments/write',
    schema: paymentForm,
    async run(form, { db }) {
      const pays = obligationOfForm(form.obligation);
      const work = db(async (session) => {
        const { currency } = await getBankAccount(session, form.bankAccount);
        const { obligations } = pays
          ? await listObligations(session, { documents: [pays.document], currency })
          : { obligations: [] };
        const open = obligations[0]?.open ?? form.amount;
        // What is more than is open stays a credit.
        const part = isZero(open) ? form.amount : min(open, form.amount);
        return recordPayment(session, {
          ...paymentOfForm(form),
          allocations: pays ? [{ ...pays, amount: { sum: part, currency: null } }] : [],
        });
      });
      const { id } = await flagsAt(work, (path) => path.replace(/^allocations\.0\.\w+$/, 'obligation'));
      return redirect(paths.payment(id));
    },
  }),
});

const optional = { required: false, marksOptional: false } as const;

export default function NewPayment() {
  const { accounts, parties, open, values } = useLoaderData<typeof loader>();
  return (
    <FormPage
      noun="payment"
      stored={null}
      title="Record a payment"
      submit="Record payment"
      submitting="Recording"
      facts={['as the bank shows it; what exceeds the open amount stays a credit']}
      description={paymentFormDescription}
      answer={useActionData<typeof action>()}
      values={values}
      labels={LABELS}
      cancelTo={paths.cash()}
      above={
        <>
          <OpenSearch counts={open.counts} />
          <PartySearches counts={parties.counts} />
        </>
      }
    >
      {(fields) => (
        <>
          <PanelSection title="Payment" className={FORM_GRID}>
            <SelectField
              field={fields.bankAccount}
              label={LABELS.bankAccount}
              choices={accounts}
              empty="Choose an account"
            />
            <SelectField field={fields.direction} label={LABELS.direction} choices={choicesOf(DIRECTION_LABELS)} />
            <TextField field={fields.amount} label={LABELS.amount} inputMode="decimal" autoComplete="off" />
            <TextField field={fields.bookedOn} label={LABELS.bookedOn} type="date" />
            <SelectField
              field={fields.obligation}
              label={LABELS.obligation}
              choices={open.choices}
              empty="Decide later"
              required={false}
              className="sm:col-span-2"
            />
            <SelectField
              field={fields.party}
              label={LABELS.party}
              choices={parties.choices}
              empty="The party of what it pays"
              required={false}
            />
            <TextField field={fields.counterpartyName} label={LABELS.counterpartyName} {...optional} />
          </PanelSection>
          <MoreDetails
            names={['counterpartyAccount', 'remittance', 'valuedOn', 'charges', 'bankReference', 'note']}
            title="More details"
          >
            <div className={FORM_GRID}>
              <TextField field={fields.counterpartyAccount} label={LABELS.counterpartyAccount} {...optional} />
              <TextField field={fields.bankReference} label={LABELS.bankReference} {...optional} />
              <TextField field={fields.valuedOn} label={LABELS.valuedOn} type="date" {...optional} />
              <TextField field={fields.charges} label={LABELS.charges} inputMode="decimal" {...optional} />
              <TextareaField field={fields.remittance} label={LABELS.remittance} rows={2} required={false} />
              <TextareaField field={fields.note} label={LABELS.note} rows={2} required={false} />
            </div>
          </MoreDetails>
        </>
      )}
    </FormPage>
  );
}
