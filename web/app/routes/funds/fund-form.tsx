import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { createFund, updateFund } from '@tapeline/db/operations/funds/change-funds.ts';
import { getFundView } from '@tapeline/db/operations/funds/funds.ts';
import { FormPage } from '../../components/forms/form-page.tsx';
import { named } from '../../components/page/page-name.ts';
import { act, intent, readScreen, readScreenOfManager } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { fundFormChoices } from './form/fund-choices.server.ts';
import { FundFields } from './form/fund-fields.tsx';
import {
  FUND_LISTS,
  fundEditForm,
  fundEditFormDescription,
  fundLabel,
  fundOfForm,
  MAX_PARTIES,
  newFundForm,
  newFundFormDescription,
  shownFundTerms,
} from './form/fund-form.ts';
import { FundSearches } from './form/fund-frame.tsx';

export const handle = named<typeof loader>(({ stored, values }) =>
  stored && 'title' in values ? [[values.title, paths.fund(stored.id)], 'Edit'] : ['New fund'],
);

const readNew = readScreenOfManager('funds/write', (screen) =>
  screen.db(async (session) => ({
    stored: null,
    values: { mainFund: screen.url.searchParams.get('mainFund') ?? '' },
    choices: await fundFormChoices(session, screen, null),
  })),
);
const readStored = readScreen('funds/write', (screen) =>
  screen.db(async (session) => {
    const { fund } = await getFundView(session, screen.params.id ?? '');
    const { id, version, currency, classes } = fund;
    return {
      stored: { id, currency, classes },
      values: {
        ...shownFundTerms(fund),
        classes,
        timeline: fund.timeline.map(({ activated, ...stage }) => ({
          ...stage,
          description: stage.description ?? '',
          endTime: stage.endTime ?? '',
          actual: stage.actual ?? '',
          activated: activated ? 'on' : '',
        })),
        GPs: fund.gpIds,
        serviceProviders: fund.serviceProviderIds,
        managementCompany: fund.managementCompanyId ?? '',
        entity: fund.entityId ?? '',
        mainFund: fund.mainFundId ?? '',
        externalCode: fund.externalCode ?? '',
        excludeFromIRRCalculations: fund.excludeFromIrrCalculations ? 'on' : '',
        excuseCap: fund.excuseCap ?? '',
        investmentPeriodEnd: fund.investmentPeriodEnd ?? '',
        fundVersion: String(version),
      },
      choices: await fundFormChoices(session, screen, fund),
    };
  }),
);
export const loader = (args: LoaderFunctionArgs) => (args.params.id ? readStored(args) : readNew(args));

export const action = act(
  {
    create: intent({
      permission: 'funds/write',
      schema: newFundForm,
      async run({ currency, ...form }, { db }) {
        const { fund } = await db((session) => createFund(session, { ...fundOfForm(form), currency }));
        return redirect(paths.fund(fund.id));
      },
    }),
    save: intent({
      permission: 'funds/write',
      schema: fundEditForm,
      async run({ fundVersion: version, ...form }, { db, params: { id = '' } }) {
        await db((session) => updateFund(session, { id, body: { ...fundOfForm(form), version } }));
        return redirect(paths.fund(id, { view: 'terms' }));
      },
    }),
  },
  { lists: FUND_LISTS },
);

export default function FundForm() {
  const { stored, values, choices } = useLoaderData<typeof loader>();
  return (
    <FormPage
      noun="fund"
      stored={stored && 'title' in values ? values.title : null}
      facts={[stored ? `all sums in ${stored.currency}` : 'Commitments are added on its page']}
      description={stored ? fundEditFormDescription : newFundFormDescription}
      answer={useActionData<typeof action>()}
      values={values}
      sentBack={stored ? ['fundVersion'] : []}
      labels={fundLabel}
      currency={stored?.currency}
      cancelTo={stored ? paths.fund(stored.id, { view: 'terms' }) : paths.funds()}
      above={<FundSearches counts={choices.counts} />}
    >
      <FundFields
        currency={stored?.currency ?? null}
        classes={stored?.classes ?? []}
        choices={choices}
        maxParties={stored ? MAX_PARTIES.edit : MAX_PARTIES.create}
      />
    </FormPage>
  );
}
