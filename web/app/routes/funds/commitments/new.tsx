import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { createCommitment } from '@tapeline/db/operations/commitments/change-commitments.ts';
import { getFund } from '@tapeline/db/operations/funds/funds.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { SelectField } from '../../../components/forms/fields.tsx';
import { FORM_GRID } from '../../../components/forms/form-layout.ts';
import { FormPage } from '../../../components/forms/form-page.tsx';
import { MoreDetails } from '../../../components/forms/more-details.tsx';
import { named } from '../../../components/page/page-name.ts';
import { MoreLink, PanelSection } from '../../../components/page/section.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import {
  ChangesSection,
  COMMITMENT_DETAILS,
  CommitmentSums,
  FeesSection,
  InvestorChoice,
} from './commitment-fields.tsx';
import {
  atCommitmentFields,
  commitmentLabel,
  commitmentTermsOfForm,
  investorOfForm,
  newCommitmentForm,
  newCommitmentFormDescription,
} from './commitment-form.ts';
import { investorChoices } from './investor-choices.server.ts';
import { InvestorSearches } from './investor-searches.tsx';

export const handle = named<typeof loader>(({ fund }) => [[fund.title, paths.fund(fund.id)], 'New commitment']);

export const loader = readScreen('LPs/commitments/write', (screen) =>
  screen.db(async (session) => {
    const fund = await getFund(session, screen.params.id ?? '');
    const investor = screen.url.searchParams.get('investor') ?? '';
    return {
      fund: { id: fund.id, title: fund.title, currency: fund.currency, classes: fund.classes },
      investor,
      today: todayOf(session),
      mayAddInvestor: can(screen.actor, 'LPs/write'),
      choices: await investorChoices(session, screen, fund, investor),
    };
  }),
);

export const action = act(
  {
    create: intent({
      permission: 'LPs/commitments/write',
      schema: newCommitmentForm,
      async run(form, { db, params: { id: fund = '' } }) {
        const body = {
          fund,
          investor: investorOfForm(form),
          Class: form.Class ?? null,
          status: form.status,
          ...commitmentTermsOfForm(form),
        };
        const { id } = await atCommitmentFields(
          form,
          db((session) => createCommitment(session, body)),
        );
        return redirect(paths.commitment(fund, id));
      },
    }),
  },
  { lists: ['deltas'] },
);

export default function NewCommitment() {
  const { fund, choices, today, investor, mayAddInvestor } = useLoaderData<typeof loader>();
  return (
    <FormPage
      noun="commitment"
      stored={null}
      facts={[<b key="fund">{fund.title}</b>, `all sums in ${fund.currency}`]}
      description={newCommitmentFormDescription}
      answer={useActionData<typeof action>()}
      values={{ lp: investor, closingDate: today, status: 'Active' }}
      currency={fund.currency}
      shouldValidate="onSubmit"
      labels={commitmentLabel}
      cancelTo={paths.fund(fund.id, { view: 'investors' })}
      above={<InvestorSearches counts={choices.counts} />}
    >
      {(fields) => (
        <>
          <PanelSection
            title="Commitment"
            className={FORM_GRID}
            more={mayAddInvestor ? <MoreLink to={paths.newInvestor({ fund: fund.id })}>New investor</MoreLink> : null}
          >
            <InvestorChoice investors={choices.investors} funds={choices.funds} who="Investor" />
            {fund.classes.length > 0 ? (
              <SelectField
                field={fields.Class}
                label="Class"
                choices={fund.classes.map(({ name, uniqueKey }) => ({ value: uniqueKey, label: name }))}
                empty="Choose a class"
              />
            ) : null}
            <CommitmentSums currency={fund.currency} />
            <SelectField
              field={fields.status}
              label="Status"
              hint="A draft does not count, and its investor does not see it"
              choices={[
                { value: 'Active', label: 'Active' },
                { value: 'Draft', label: 'Draft' },
              ]}
            />
          </PanelSection>
          <MoreDetails names={COMMITMENT_DETAILS}>
            <ChangesSection currency={fund.currency} />
            <FeesSection currency={fund.currency} />
          </MoreDetails>
        </>
      )}
    </FormPage>
  );
}
