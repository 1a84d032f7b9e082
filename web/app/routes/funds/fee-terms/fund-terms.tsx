import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { changeFeeTerms } from '@tapeline/db/operations/funds/change-funds.ts';
import { getFund } from '@tapeline/db/operations/funds/funds.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { flagsAt, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { classTitle } from '@tapeline/domain/funds/class-title.ts';
import { SelectField, TextField } from '../../../components/forms/fields.tsx';
import { FORM_GRID } from '../../../components/forms/form-layout.ts';
import { FormPage } from '../../../components/forms/form-page.tsx';
import { ConfirmForm } from '../../../components/overlays/confirm-form.tsx';
import { named } from '../../../components/page/page-name.ts';
import { PanelSection } from '../../../components/page/section.tsx';
import { act, intent, readScreen, type Screen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { TermsFields } from './terms-fields.tsx';
import {
  feeTermsForm,
  feeTermsFormDescription,
  shownFeeTerms,
  termsLabel,
  termsOfForm,
  termsRemovalForm,
} from './terms-form.ts';

export const handle = named<typeof loader>(({ fund }) => [
  { label: fund.title, to: paths.fund(fund.id, { view: 'terms' }) },
  'Fee terms',
]);

/** The terms in the address: of a class, or of all, from a day on. None for new ones. */
function replacedBy({ url }: Pick<Screen, 'url'>) {
  const from = url.searchParams.get('from');
  return from === null ? null : { from, Class: url.searchParams.get('class') || null };
}

export const loader = readScreen('funds/write', (screen) =>
  screen.db(async (session) => {
    const fund = await getFund(session, screen.params.id ?? '');
    const replaces = replacedBy(screen);
    const stored = fund.feeTerms.find(
      ({ Class, from }) => from === replaces?.from && (Class ?? null) === replaces.Class,
    );
    if (replaces && !stored) throw new Refusal('notFound');
    return {
      fund: { id: fund.id, title: fund.title, currency: fund.currency },
      classes: fund.classes.map(({ name, uniqueKey }) => ({ value: uniqueKey, label: classTitle(name) })),
      stored: stored ? { from: stored.from } : null,
      version: fund.version,
      values: {
        from: stored?.from ?? '',
        Class: stored?.Class ?? '',
        terms: shownFeeTerms(stored?.terms ?? {}),
        termsVersion: String(fund.version),
      },
    };
  }),
);

/** Reports refusals at the fields of the form: `feeTerms.0.terms.overallCap` at `terms.overallCap`. */
const atTermsFields = <Result,>(work: Promise<Result>): Promise<Result> =>
  flagsAt(work, (path) => path.replace(/^feeTerms\.0\./, ''));

const save = intent({
  permission: 'funds/write',
  schema: feeTermsForm,
  async run({ termsVersion: version, from, Class = null, terms }, screen) {
    const { id = '' } = screen.params;
    const replaces = replacedBy(screen);
    await atTermsFields(
      screen.db((session) =>
        changeFeeTerms(session, { id, version, replaces, terms: { from, Class, terms: termsOfForm(terms) } }),
      ),
    );
    return redirect(`${paths.fund(id, { view: 'terms' })}#fee-terms`);
  },
});

export const action = act({
  create: save,
  save,
  remove: intent({
    permission: 'funds/write',
    schema: termsRemovalForm,
    async run({ termsVersion: version }, screen) {
      const { id = '' } = screen.params;
      const replaces = replacedBy(screen);
      await screen.db((session) => changeFeeTerms(session, { id, version, replaces, terms: null }));
      return redirect(`${paths.fund(id, { view: 'terms' })}#fee-terms`);
    },
  }),
});

export default function FundTerms() {
  const { fund, classes, stored, values, version } = useLoaderData<typeof loader>();
  return (
    <FormPage
      noun="fee terms"
      stored={stored ? `fee terms from ${formatCalendarDate(stored.from)}` : null}
      facts={[<b key="fund">{fund.title}</b>, 'issued calls and distributions do not change']}
      description={feeTermsFormDescription}
      answer={useActionData<typeof action>()}
      values={values}
      sentBack={['termsVersion']}
      submit={stored ? 'Save' : 'Add fee terms'}
      submitting={stored ? 'Saving' : 'Adding'}
      currency={fund.currency}
      shouldValidate="onSubmit"
      labels={termsLabel}
      cancelTo={paths.fund(fund.id, { view: 'terms' })}
      above={
        stored ? (
          <div className="mb-4">
            <ConfirmForm
              intent="remove"
              values={{ termsVersion: String(version) }}
              label="Remove these terms"
              title="Remove these fee terms?"
              consequence="The previous terms apply again from that day. Issued calls and distributions do not change."
              confirm="Remove"
            />
          </div>
        ) : null
      }
    >
      {(fields) => (
        <>
          <PanelSection title="Terms" note="in force until the next terms of the same class" className={FORM_GRID}>
            <TextField field={fields.from} label="From" type="date" />
            {classes.length > 0 ? (
              <SelectField
                field={fields.Class}
                label="Class"
                choices={classes}
                empty="All classes"
                hint="Class terms override terms for all classes"
                required={false}
              />
            ) : null}
          </PanelSection>
          <TermsFields currency={fund.currency} />
        </>
      )}
    </FormPage>
  );
}
