import type { SubmissionResult } from '@conform-to/react';
import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { createReports } from '@tapeline/db/operations/capital/reports.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { DOCUMENT_HINT } from '@tapeline/domain/files/buckets.ts';
import { typeOfFile, UPLOAD_EXTENSIONS } from '@tapeline/domain/files/file-types.ts';
import { requireFiles, storeDocuments } from '../../../commands/form-files.server.ts';
import { Problem, SelectField, TextField } from '../../../components/forms/fields.tsx';
import { FORM_GRID } from '../../../components/forms/form-layout.ts';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { ChooseFund } from '../choose-fund.tsx';
import { capitalCrumbs } from '../crumbs.ts';
import { type OwnedForm, ownerInCrumbs } from './document-crumbs.ts';
import { MAX_UPLOADS, reportFieldsDescription, reportForm } from './document-form.ts';
import { askedOwner, documentsOwner, lastQuarterEnd } from './documents-owner.server.ts';
import { keptFilesOfFields, PlainFile, STORED_AS_DRAFT } from './statement-fields.tsx';

export const handle = capitalCrumbs<OwnedForm>('New report', 'documents', ownerInCrumbs);

export const loader = readScreen('funds/write', (screen) =>
  screen.db(async (session) => ({
    ...(await askedOwner(session, screen)),
    quarterEnd: lastQuarterEnd(todayOf(session)),
  })),
);

export const action = act(
  {
    create: intent({
      permission: 'funds/write',
      schema: reportForm,
      async run(form, { db, url }) {
        requireFiles(form);
        const { cutOffDate, Class, files } = form;
        const backTo = await db(async (session) => {
          const owner = await documentsOwner(session, url);
          const bodies = files.map(({ key, name }) => ({
            ...owner.of,
            Class,
            cutOffDate,
            fileMetadata: { key, name },
          }));
          try {
            await createReports(session, bodies);
          } catch (error) {
            if (!isRefusal(error) || !isRefusal(error.cause)) throw error;
            throw new Refusal(error.code, error.cause.message, { cause: error });
          }
          return owner.draftsAt;
        });
        return redirect(backTo);
      },
    }),
  },
  {
    files: {
      permission: 'funds/write',
      store: (screen) => storeDocuments(screen, { bucket: 'fundReports', typeOf: typeOfFile, most: MAX_UPLOADS }),
    },
  },
);

interface Answer {
  lastResult?: SubmissionResult<string[]>;
}

const LABELS = { cutOffDate: 'Cut-off date', Class: 'Class', files: 'File' };

export default function NewReport() {
  const { owner, choice, quarterEnd } = useLoaderData<typeof loader>();
  const answer = useActionData() as Answer | undefined;
  const [form, fields] = useScreenForm('report', reportFieldsDescription, {
    lastResult: answer?.lastResult,
    defaultValue: { cutOffDate: quarterEnd, ...answer?.lastResult?.initialValue },
  });
  if (!owner) return choice ? <ChooseFund title="New report" choice={choice} backTo={paths.funds()} /> : null;
  const { title, classes, backTo } = owner;
  const [kept] = keptFilesOfFields(answer?.lastResult?.initialValue);
  return (
    <>
      <PageHeader title="New report" facts={[<b key="fund">{title}</b>]} />
      <ScreenForm form={form} intent="create" labels={LABELS} encType="multipart/form-data">
        <PanelSection title="Report" note={STORED_AS_DRAFT} className={FORM_GRID}>
          <TextField
            field={fields.cutOffDate}
            label="Cut-off date"
            type="date"
            suggestsMonthEnds
            hint="The last day of the period"
          />
          {classes.length > 0 ? (
            <SelectField
              field={fields.Class}
              label="Class"
              hint="Only its investors see the report"
              choices={classes}
              empty="All classes"
            />
          ) : null}
          <div id={fields.files.id} className="sm:col-span-2">
            <PlainFile name="file" label="File" accept={UPLOAD_EXTENSIONS} kept={kept} index={0} hint={DOCUMENT_HINT} />
            <Problem field={fields.files} label={LABELS.files} verb="Choose" />
          </div>
        </PanelSection>
        <FormActions submit="Store report" submitting="Storing" cancelTo={backTo} />
      </ScreenForm>
    </>
  );
}
