import { useField } from '@conform-to/react';
import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { fundChoices } from '@tapeline/db/operations/funds/funds.ts';
import { createMainFund, getMainFund, updateMainFund } from '@tapeline/db/operations/funds/main-funds.ts';
import { tenantOf } from '@tapeline/db/operations/permission.ts';
import { MAX_MEMBERS } from '@tapeline/domain/funds/main-fund-limits.ts';
import { ChoiceSearch, countsOf } from '../../components/forms/choice-search.tsx';
import { type Choice, SelectField } from '../../components/forms/fields.tsx';
import { FORM_PANEL } from '../../components/forms/form-layout.ts';
import { FormPage } from '../../components/forms/form-page.tsx';
import { ListRows } from '../../components/forms/list-rows.tsx';
import { named } from '../../components/page/page-name.ts';
import { PanelSection } from '../../components/page/section.tsx';
import { act, intent, readScreen, readScreenOfManager } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { fundLabel, shownFundTerms } from '../funds/form/fund-form.ts';
import { FundTermsFields } from '../funds/form/terms-fields.tsx';
import {
  mainFundEditForm,
  mainFundEditFormDescription,
  mainFundTermsOfForm,
  newMainFundForm,
  newMainFundFormDescription,
} from './main-fund-schemas.ts';

export const handle = named<typeof loader>(({ stored }) =>
  stored ? [[stored.values.title, paths.mainFund(stored.id)], 'Edit'] : ['New main fund'],
);

const readNew = readScreenOfManager('funds/write', ({ db, url }) =>
  db(async (session) => {
    const found = await fundChoices(session, await tenantOf(session), { search: url.searchParams.get('findFund') });
    const funds = found.choices.map(({ id, name }) => ({ value: id, label: name }));
    return { stored: null, members: { counts: countsOf(found), funds } };
  }),
);
const readStored = readScreen('funds/write', ({ db, params }) =>
  db(async (session) => {
    const fund = await getMainFund(session, params.id ?? '');
    const values = { ...shownFundTerms(fund), fundVersion: String(fund.version) };
    return { stored: { id: fund.id, currency: fund.currency, values }, members: null };
  }),
);
export const loader = (args: LoaderFunctionArgs) => (args.params.id ? readStored(args) : readNew(args));

export const action = act(
  {
    create: intent({
      permission: 'funds/write',
      schema: newMainFundForm,
      async run(form, { db }) {
        const { id } = await db((session) => createMainFund(session, mainFundTermsOfForm(form)));
        return redirect(paths.mainFund(id));
      },
    }),
    save: intent({
      permission: 'funds/write',
      schema: mainFundEditForm,
      async run(form, { db, params: { id = '' } }) {
        const { fundVersion: version, ...terms } = mainFundTermsOfForm(form);
        await db((session) => updateMainFund(session, { id, body: { ...terms, version } }));
        return redirect(paths.mainFund(id));
      },
    }),
  },
  { lists: ['classMembers'] },
);

function Members({ funds }: { funds: readonly Choice[] }) {
  const [members] = useField<string[]>('classMembers');
  return (
    <PanelSection title="Funds" note="of the same currency, each in at most one main fund" className={FORM_PANEL}>
      <ListRows field={members} one="Fund" most={MAX_MEMBERS} compact>
        {(item, index) => (
          <SelectField
            field={item}
            label={`Fund ${index + 1}`}
            choices={funds}
            empty="Choose a fund"
            required={false}
          />
        )}
      </ListRows>
    </PanelSection>
  );
}

export default function MainFundForm() {
  const { stored, members } = useLoaderData<typeof loader>();
  return (
    <FormPage
      noun="main fund"
      stored={stored?.values.title ?? null}
      facts={[stored ? `all sums in ${stored.currency}` : 'Groups funds for joint statements and reports']}
      description={stored ? mainFundEditFormDescription : newMainFundFormDescription}
      answer={useActionData<typeof action>()}
      {...(stored ? { values: stored.values, sentBack: ['fundVersion'] } : {})}
      labels={fundLabel}
      cancelTo={stored ? paths.mainFund(stored.id) : paths.mainFunds()}
      above={
        members ? (
          <ChoiceSearch id="find-fund" name="findFund" noun={['fund', 'funds']} counts={members.counts} />
        ) : null
      }
    >
      <FundTermsFields currency={stored?.currency ?? null} />
      {members ? <Members funds={members.funds} /> : null}
    </FormPage>
  );
}
