import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { removeCommitment } from '@tapeline/db/operations/commitments/change-commitments.ts';
import { commitmentContent } from '@tapeline/db/operations/commitments/commitment-content.ts';
import { listCommitments } from '@tapeline/db/operations/funds/funds.ts';
import type { z } from 'zod';
import { CheckboxField } from '../../../components/forms/fields.tsx';
import { FORM_PANEL } from '../../../components/forms/form-layout.ts';
import { FormActions, ScreenForm } from '../../../components/forms/screen-form.tsx';
import { useShortForm } from '../../../components/forms/use-short-form.ts';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { commitmentRemovalForm } from './commitment-form.ts';
import { readCommitment } from './commitment-page.server.ts';
import { commitmentCrumbs } from './crumbs.ts';

export const handle = commitmentCrumbs('Remove', ({ title }) => `Remove ${title}`);

export const loader = readScreen('LPs/commitments/write', (screen) =>
  screen.db(async (session) => {
    const { fund, commitment, title, className } = await readCommitment(session, screen);
    const investor = commitment.investorLPId ?? commitment.investorFundId;
    const own = await listCommitments(session, { filter: { fund: fund.id, 'investor.id': investor }, limit: 1 });
    return {
      id: commitment.id,
      title,
      className,
      fund: { id: fund.id, title: fund.title },
      others: own.total - 1,
      content: await commitmentContent(session, [commitment.id]),
    };
  }),
);

export const action = act({
  remove: intent({
    permission: 'LPs/commitments/write',
    schema: commitmentRemovalForm,
    async run(form, screen) {
      const fundId = await screen.db(async (session) => {
        const { commitment } = await readCommitment(session, screen);
        await removeCommitment(session, { id: commitment.id, ...form });
        return commitment.fundId;
      });
      return redirect(paths.fund(fundId, { view: 'investors' }));
    },
  }),
});

export default function RemoveCommitment() {
  const { id, title, className, fund, others, content } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form, fields] = useShortForm<z.input<typeof commitmentRemovalForm>>('removal', {
    lastResult: answer?.lastResult,
  });
  return (
    <>
      <PageHeader
        title={`Remove the commitment of ${title}`}
        facts={[<b key="fund">{fund.title}</b>, ...(className ? [className] : [])]}
      />
      <ScreenForm
        form={form}
        intent="remove"
        labels={{ isDeleteAll: 'All classes', deleteAllContent: 'Documents of the commitment' }}
      >
        <PanelSection
          title="What is removed"
          note="its history is kept"
          className={`${FORM_PANEL} flex flex-col gap-4`}
        >
          <p className="text-sm text-ink-2">
            The commitment no longer counts in any figure of the fund. Shares of the other investors change on every day
            from its closing date on.
          </p>
          <CheckboxField
            field={fields.isDeleteAll}
            label="Also the investor’s commitments in the other classes of the fund"
            hint={others === 0 ? 'There are none' : `There are ${others}`}
          />
          <CheckboxField
            field={fields.deleteAllContent}
            label="Also calls, distributions, NAVs, write-offs and statements"
            hint={
              content.length === 0
                ? 'This commitment has none'
                : `This commitment has ${content.join(', ')}. It can only be removed together with them`
            }
          />
        </PanelSection>
        <FormActions
          submit="Remove commitment"
          submitting="Removing"
          tone="danger"
          cancelTo={paths.commitment(fund.id, id)}
        />
      </ScreenForm>
    </>
  );
}
