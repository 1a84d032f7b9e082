import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { updateCommitment } from '@tapeline/db/operations/commitments/change-commitments.ts';
import { CAPITAL_TRANSITIONS } from '@tapeline/domain/capital/states.ts';
import { SelectField } from '../../../components/forms/fields.tsx';
import { FORM_GRID } from '../../../components/forms/form-layout.ts';
import { FormPage } from '../../../components/forms/form-page.tsx';
import { MoreDetails } from '../../../components/forms/more-details.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { ChangesSection, COMMITMENT_DETAILS, CommitmentSums, FeesSection } from './commitment-fields.tsx';
import {
  atCommitmentFields,
  commitmentEditForm,
  commitmentEditFormDescription,
  commitmentLabel,
  commitmentTermsOfForm,
} from './commitment-form.ts';
import { readCommitment } from './commitment-page.server.ts';
import { commitmentCrumbs } from './crumbs.ts';

export const handle = commitmentCrumbs('Edit');

const text = (value: number | string | null | undefined): string => (value == null ? '' : String(value));
const checked = (value: boolean | null | undefined): string => (value ? 'on' : '');

export const loader = readScreen('LPs/commitments/write', (screen) =>
  screen.db(async (session) => {
    const { fund, commitment, title, className } = await readCommitment(session, screen);
    const { id, version, status, closingDate, maxCommitment, activeCommitment, deltas } = commitment;
    const { management, success, transaction, overallCap } = commitment.fees;
    return {
      id,
      title,
      className,
      fund,
      statuses: CAPITAL_TRANSITIONS.states.filter(
        (to) => to === status || (to !== 'Removed' && CAPITAL_TRANSITIONS.allows(status, to)),
      ),
      values: {
        status,
        closingDate,
        maxCommitment,
        activeCommitment,
        deltas: deltas.map((delta) => ({
          date: delta.date,
          amount: delta.amount,
          title: text(delta.title),
          transfer: text(delta.transfer),
        })),
        fees: {
          management: {
            committed: text(management?.committed),
            invested: text(management?.invested),
            interestIncome: text(management?.interestIncome),
            assets: text(management?.assets),
            assetsBasis: management?.assetsBasis === 'net' ? 'net' : '',
          },
          success: {
            hurdle: text(success?.hurdle),
            rate: text(success?.rate),
            catchUp: text(success?.catchUp),
            equityOnly: checked(success?.equityOnly),
            interestShare: text(success?.interestShare),
          },
          transaction: { applied: checked(transaction?.applied), cap: text(transaction?.cap) },
          overallCap: text(overallCap),
        },
        commitmentVersion: String(version),
      },
    };
  }),
);

export const action = act(
  {
    save: intent({
      permission: 'LPs/commitments/write',
      schema: commitmentEditForm,
      async run({ commitmentVersion: version, status, ...form }, screen) {
        const saved = screen.db(async (session) => {
          const { commitment } = await readCommitment(session, screen);
          const changed = status === commitment.status ? {} : { status };
          const body = { ...commitmentTermsOfForm(form), ...changed, version };
          return updateCommitment(session, { id: commitment.id, body });
        });
        const { id, fundId } = await atCommitmentFields({}, saved);
        return redirect(paths.commitment(fundId, id));
      },
    }),
  },
  { lists: ['deltas'] },
);

export default function EditCommitment() {
  const { id, title, className, fund, statuses, values } = useLoaderData<typeof loader>();
  return (
    <FormPage
      noun="commitment"
      stored={`the commitment of ${title}`}
      facts={[<b key="fund">{fund.title}</b>, ...(className ? [className] : []), `all sums in ${fund.currency}`]}
      description={commitmentEditFormDescription}
      answer={useActionData<typeof action>()}
      values={values}
      sentBack={['commitmentVersion']}
      currency={fund.currency}
      shouldValidate="onSubmit"
      labels={commitmentLabel}
      cancelTo={paths.commitment(fund.id, id)}
    >
      {(fields) => (
        <>
          <PanelSection title="Commitment" className={FORM_GRID}>
            <CommitmentSums currency={fund.currency} />
            <SelectField
              field={fields.status}
              label="Status"
              choices={statuses.map((status) => ({ value: status, label: status }))}
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
