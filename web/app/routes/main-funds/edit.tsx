import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { getMainFund, updateMainFund } from '@tapeline/db/operations/funds/main-funds.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../components/forms/screen-form.tsx';
import { HiddenField } from '../../components/organizations/party-form.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import type { CrumbHandle } from '../../components/shell/breadcrumb.tsx';
import { act, intent, readScreen } from '../../http/screen.server.ts';
import { fundLabel } from '../funds/form/fund-form.ts';
import { TermsFields } from '../funds/form/terms-fields.tsx';
import { paths } from '../paths.ts';
import { mainFundEditForm, termsOfForm } from './main-fund-form.ts';

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Edit ${data?.values.title ?? 'main fund'} · Tapeline` },
];
export const handle: CrumbHandle<{ id: string; values: { title: string } }> = {
  crumbs: ({ data: { id, values } }) => [{ label: values.title, to: paths.mainFund(id) }, { label: 'Edit' }],
};

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'funds/write', ({ db, params }) =>
    db(async (session) => {
      const fund = await getMainFund(session, params.id ?? '');
      const { id, version, title, type, strategy, currency, targetSize, hardCap, nonRecyclable } = fund;
      return {
        id,
        currency,
        values: {
          title,
          type,
          strategy,
          targetSize,
          hardCap,
          closingDate: fund.closingDate ?? '',
          description: fund.description ?? '',
          nonRecyclable: {
            declerationDate: nonRecyclable?.declerationDate ?? '',
            fromBeginning: nonRecyclable?.fromBeginning ? 'on' : '',
          },
          fundVersion: String(version),
        },
      };
    }),
  );

export const action = (args: ActionFunctionArgs) =>
  act(args, {
    save: intent({
      permission: 'funds/write',
      schema: mainFundEditForm,
      async run(form, { db, params: { id = '' } }) {
        const { fundVersion: version, ...terms } = termsOfForm(form);
        await db((session) => updateMainFund(session, { id, body: { ...terms, version } }));
        return redirect(paths.mainFund(id));
      },
    }),
  });

export default function EditMainFund() {
  const { id, currency, values } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form] = useScreenForm('main-fund', mainFundEditForm, {
    lastResult: answer?.lastResult,
    defaultValue: values,
  });
  return (
    <>
      <PageHeader title={`Edit ${values.title}`} facts={[`all sums in ${currency}`]} />
      <ScreenForm form={form} intent="save" labels={fundLabel}>
        <HiddenField name="fundVersion" />
        <TermsFields currency={currency} />
        <FormActions submit="Save" submitting="Saving">
          <LinkButton to={paths.mainFund(id)} tone="quiet">
            Cancel
          </LinkButton>
        </FormActions>
      </ScreenForm>
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../components/page/error-screen.tsx';
