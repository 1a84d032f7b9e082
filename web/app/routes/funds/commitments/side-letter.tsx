import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { changeSideLetter } from '@tapeline/db/operations/commitments/change-commitments.ts';
import { SIDE_LETTER_BUCKET } from '@tapeline/db/operations/commitments/side-letters.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { flagsAt, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { storeUploads } from '../../../commands/form-files.server.ts';
import { TextField } from '../../../components/forms/fields.tsx';
import { FORM_GRID } from '../../../components/forms/form-layout.ts';
import { FormPage } from '../../../components/forms/form-page.tsx';
import { StoredFileField } from '../../../components/forms/stored-file-field.tsx';
import { ConfirmForm } from '../../../components/overlays/confirm-form.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { act, intent, readScreen, type Screen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { TermsFields } from '../fee-terms/terms-fields.tsx';
import {
  shownFeeTerms,
  sideLetterForm,
  sideLetterFormDescription,
  termsLabel,
  termsOfForm,
  termsRemovalForm,
} from '../fee-terms/terms-form.ts';
import { readCommitment } from './commitment-page.server.ts';
import { commitmentCrumbs } from './crumbs.ts';

export const handle = commitmentCrumbs('Side letter');

/** The day of the letter in the address; null for a new one. */
const replacedBy = ({ url }: Pick<Screen, 'url'>): string | null => url.searchParams.get('from');

export const loader = readScreen('LPs/commitments/write', (screen) =>
  screen.db(async (session) => {
    const { fund, commitment, title, className } = await readCommitment(session, screen);
    const replaces = replacedBy(screen);
    const stored = commitment.sideLetters.find(({ from }) => from === replaces);
    if (replaces !== null && !stored) throw new Refusal('notFound');
    return {
      id: commitment.id,
      title,
      className,
      fund,
      stored: stored ? { from: stored.from } : null,
      version: commitment.version,
      values: {
        from: stored?.from ?? '',
        title: stored?.title ?? '',
        document: stored?.document ?? '',
        terms: shownFeeTerms(stored?.terms ?? {}),
        termsVersion: String(commitment.version),
      },
    };
  }),
);

/** Reports refusals at the fields of the form: `sideLetters.0.from` at `from`. */
const atLetterFields = <Result,>(work: Promise<Result>): Promise<Result> =>
  flagsAt(work, (path) => path.replace(/^sideLetters\.0\./, ''));

const save = intent({
  permission: 'LPs/commitments/write',
  schema: sideLetterForm,
  async run({ termsVersion: version, refused, from, title, document, terms }, screen) {
    if (refused) throw new Refusal('badRequest', refused);
    const letter = { from, title: title || null, document: document || null, terms: termsOfForm(terms) };
    const replaces = replacedBy(screen);
    const { id, fundId } = await atLetterFields(
      screen.db(async (session) => {
        const { commitment } = await readCommitment(session, screen);
        await changeSideLetter(session, { id: commitment.id, version, replaces, letter });
        return commitment;
      }),
    );
    return redirect(`${paths.commitment(fundId, id)}#fees`);
  },
});

export const action = act(
  {
    create: save,
    save,
    remove: intent({
      permission: 'LPs/commitments/write',
      schema: termsRemovalForm,
      async run({ termsVersion: version }, screen) {
        const { id, fundId } = await screen.db(async (session) => {
          const { commitment } = await readCommitment(session, screen);
          await changeSideLetter(session, { id: commitment.id, version, replaces: replacedBy(screen), letter: null });
          return commitment;
        });
        return redirect(`${paths.commitment(fundId, id)}#fees`);
      },
    }),
  },
  {
    files: {
      permission: 'LPs/commitments/write',
      store: (screen) => storeUploads(screen, { bucket: SIDE_LETTER_BUCKET }),
    },
  },
);

export default function SideLetterScreen() {
  const { id, title, className, fund, stored, values, version } = useLoaderData<typeof loader>();
  return (
    <FormPage
      noun="side letter"
      stored={stored ? `side letter of ${title} from ${formatCalendarDate(stored.from)}` : null}
      facts={[
        <b key="investor">{title}</b>,
        fund.title,
        ...(className ? [className] : []),
        'issued calls and distributions do not change',
      ]}
      description={sideLetterFormDescription}
      answer={useActionData<typeof action>()}
      values={values}
      sentBack={['termsVersion']}
      submit={stored ? 'Save' : 'Add side letter'}
      submitting={stored ? 'Saving' : 'Adding'}
      currency={fund.currency}
      encType="multipart/form-data"
      shouldValidate="onSubmit"
      labels={termsLabel}
      cancelTo={paths.commitment(fund.id, id)}
      above={
        stored ? (
          <div className="mb-4">
            <ConfirmForm
              intent="remove"
              values={{ termsVersion: String(version) }}
              label="Remove this side letter"
              title="Remove this side letter?"
              consequence="The previous terms apply again. Issued calls and distributions do not change."
              confirm="Remove"
            />
          </div>
        ) : null
      }
    >
      {(fields) => (
        <>
          <PanelSection title="Side letter" note="blank fields follow the terms of the fund" className={FORM_GRID}>
            <TextField field={fields.from} label="From" type="date" />
            <TextField field={fields.title} label="Title" hint="For example Founding investor" required={false} />
            <StoredFileField
              name="upload"
              label="Document"
              stored={{ name: 'document', value: String(fields.document.value ?? '') }}
            />
          </PanelSection>
          <TermsFields currency={fund.currency} />
        </>
      )}
    </FormPage>
  );
}
