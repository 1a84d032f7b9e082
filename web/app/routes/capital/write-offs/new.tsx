import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { createWriteOffs } from '@tapeline/db/operations/capital/write-offs.ts';
import { getFund } from '@tapeline/db/operations/funds/funds.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { classTitle } from '@tapeline/domain/funds/class-title.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { SelectField, TextField } from '../../../components/forms/fields.tsx';
import { FORM_GRID } from '../../../components/forms/form-layout.ts';
import { HiddenField } from '../../../components/forms/hidden-field.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { atFields, capitalLabel } from '../capital-form.ts';
import { ChooseFund } from '../choose-fund.tsx';
import { commitmentsOfForm } from '../commitments-of-form.server.ts';
import { capitalCrumbs } from '../crumbs.ts';
import { type FundOfForm, fundOfUrl } from '../fund-of-form.server.ts';
import { writeOffForm, writeOffFormDescription } from './write-off-form.ts';

export const handle = capitalCrumbs<{ fund: FundOfForm | null }>('New write-off', 'navs', ({ fund }) => fund);

export const loader = readScreen('funds/write', (screen) =>
  screen.db(async (session) => {
    const { fund, choice } = await fundOfUrl(session, screen);
    const today = todayOf(session);
    return { fund, choice, today, commitments: fund ? await commitmentsOfForm(session, fund, today) : [] };
  }),
);

export const action = act({
  create: intent({
    permission: 'funds/write',
    schema: writeOffForm,
    async run({ commitment, amount, Class, ...form }, { db }) {
      const work = db(async (session) => {
        const fund = await getFund(session, form.fund);
        const known = commitment ? await commitmentsOfForm(session, fund, form.cutOffDate) : [];
        const found = known.find(({ id }) => id === commitment);
        if (commitment && !found) {
          throw new Refusal('badRequest', 'This commitment is not in force', {
            flags: { commitment: 'is not in force' },
          });
        }
        await createWriteOffs(session, [
          {
            ...form,
            Class: found ? found.Class : (Class ?? null),
            investor: found ? { id: found.investorId, kind: found.investorKind } : null,
            amount: { sum: amount, currency: fund.currency },
          },
        ]);
      });
      await atFields(work, (path) => path.replace(/^0\./, '').replace('investor.id', 'commitment'));
      return redirect(paths.fund(form.fund, { view: 'navs' }));
    },
  }),
});

type Page = ReturnType<typeof useLoaderData<typeof loader>>;

function WriteOffFields({ page, fund }: { page: Page; fund: FundOfForm }) {
  const answer = useActionData<typeof action>();
  const [form, fields] = useScreenForm('write-off', writeOffFormDescription, {
    lastResult: answer?.lastResult,
    defaultValue: { fund: fund.id, cutOffDate: page.today, status: 'Active' },
    shouldValidate: 'onSubmit',
  });
  return (
    <ScreenForm
      form={form}
      intent="create"
      labels={(name) => (name === 'commitment' ? 'Investor' : capitalLabel(name))}
      currency={fund.currency}
    >
      <HiddenField name="fund" />
      <PanelSection title="Write-off" note="split by the commitments on the cut-off date" className={FORM_GRID}>
        <TextField
          field={fields.cutOffDate}
          label="Cut-off date"
          type="date"
          suggestsMonthEnds
          hint="Lowers net capital called and the NAV from then on"
        />
        <TextField field={fields.amount} label="Amount" unit={fund.currency} inputMode="decimal" />
        {fund.classes.length > 0 ? (
          <SelectField
            field={fields.Class}
            label="Class"
            empty="All classes"
            required={false}
            choices={fund.classes.map(({ name, uniqueKey }) => ({ value: uniqueKey, label: name }))}
          />
        ) : null}
        <SelectField
          field={fields.commitment}
          label="Investor"
          empty="All investors"
          required={false}
          choices={page.commitments.map(({ id, title, className }) => ({
            value: id,
            label: className === null ? title : `${title}, ${classTitle(className)}`,
          }))}
        />
        <SelectField
          field={fields.status}
          label="Status"
          choices={[
            { value: 'Active', label: 'Active' },
            { value: 'Draft', label: 'Draft' },
          ]}
        />
      </PanelSection>
      <FormActions submit="Save" submitting="Saving" cancelTo={paths.fund(fund.id, { view: 'navs' })} />
    </ScreenForm>
  );
}

export default function NewWriteOff() {
  const page = useLoaderData<typeof loader>();
  const { fund, choice, commitments } = page;
  if (!fund) return choice ? <ChooseFund title="New write-off" choice={choice} backTo={paths.funds()} /> : null;
  if (commitments.length === 0 || fund.status === 'Draft') {
    return (
      <EmptyState
        title="Nothing to write off"
        action={<LinkButton to={paths.fund(fund.id)}>Back to the fund</LinkButton>}
      >
        The fund has to be Active, with commitments that are in force.
      </EmptyState>
    );
  }
  return (
    <>
      <PageHeader title="New write-off" facts={[<b key="fund">{fund.title}</b>, `figures in ${fund.currency}`]} />
      <WriteOffFields page={page} fund={fund} />
    </>
  );
}
