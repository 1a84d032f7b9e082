import { type ActionFunctionArgs, redirect } from '@remix-run/node';
import { Link, type ShouldRevalidateFunctionArgs, useActionData, useLoaderData } from '@remix-run/react';
import { getCompany } from '@tapeline/db/operations/companies/companies.ts';
import { companyChoices } from '@tapeline/db/operations/companies/company-choices.ts';
import { createMapping, earlierMappingsOf } from '@tapeline/db/operations/mappings/mappings.ts';
import { isCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { otherSheet, otherSheetInWords } from '@tapeline/domain/tapes/suggest/sheet-kind.ts';
import { currencyOfTape, suggestMapping } from '@tapeline/domain/tapes/suggest/suggest-mapping.ts';
import { numberedNames } from '@tapeline/sheets/repeated-headers.ts';
import { storeAttachments } from '../../../../commands/form-files.server.ts';
import { samplesOf } from '../../../../commands/previews.server.ts';
import { formatCount } from '../../../../components/figures/format.ts';
import { Button, LinkButton } from '../../../../components/forms/button.tsx';
import { CompanySearch } from '../../../../components/forms/company-picker.tsx';
import { quickCompany } from '../../../../components/organizations/quick-company.server.ts';
import { mayCreateCompany } from '../../../../components/organizations/quick-company.ts';
import { loadedPart, ShownPart } from '../../../../components/page/loaded-part.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { PageHeader } from '../../../../components/page/page-header.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { Tabs } from '../../../../components/page/tabs.tsx';
import { act, intent, readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { draftOfSuggestions } from '../draft.ts';
import { draftOfTriedSuggestions, previewDraft, sheetHeadOf } from '../draft-preview.server.ts';
import { MAPPING_FORM } from '../editor/mapping-form.ts';
import { needsReading, ruleOf } from '../editor-address.ts';
import { answerEditor, confirmNewFile, type EditorAnswer, fileToTryOn, isAnswered } from '../mapping-editor.server.ts';
import { startSchema } from './start.ts';
import { StartForm } from './start-form.tsx';

const EDITOR = loadedPart(() => import('../editor/mapping-editor.checks.tsx').then((part) => part.MappingEditor));

export const handle = named('New mapping');
export const shouldRevalidate = (args: ShouldRevalidateFunctionArgs) => needsReading(args);

export const loader = readScreen('assets/ETL/write', async (screen) => {
  const { db, url } = screen;
  const { company: companyId, file: fileId, sheet } = Object.fromEntries(url.searchParams);
  if (!companyId || !fileId) {
    const picker = await db((session) =>
      companyChoices(session, { search: url.searchParams.get('find'), chosen: companyId ?? null }),
    );
    const [only] = picker.choices;
    const chosen = companyId ?? (picker.total === 1 ? only?.id : undefined) ?? null;
    return { step: 'start' as const, companyId: chosen, picker, mayCreateCompany: mayCreateCompany(screen.actor) };
  }
  const { company, file, earlier } = await db(async (session) => ({
    company: await getCompany(session, companyId),
    file: await fileToTryOn(session, { fileId }),
    earlier: await earlierMappingsOf(session, companyId),
  }));
  const named = { id: companyId, name: company.entity.name };
  const inspected = file
    ? await sheetHeadOf(screen, file, { sheetName: sheet || null, isMappingsSheet: false, isSurveyed: true })
    : { problem: 'This tape no longer exists.' };
  if ('problem' in inspected || !file) {
    return {
      step: 'refused' as const,
      company: named,
      problem: 'problem' in inspected ? inspected.problem : '',
      /** If one sheet was requested, the link to the workbook's other sheets, which are still to be reviewed. */
      otherSheets: sheet && fileId ? paths.newMapping({ company: companyId, file: fileId }) : null,
    };
  }
  const { head } = inspected;
  const columns = samplesOf(head);
  const suggestions = suggestMapping({ columns, earlier: earlier.map(({ rules }) => rules) });
  const other = otherSheet(columns);
  const sheetOfDraft = {
    sheetName: head.sheetName,
    headers: head.columns.map(({ header }) => header),
    // Without any, the person chooses: an assumed currency would be wrong for all amounts.
    primaryCurrency: currencyOfTape(columns) ?? company.entity.business?.currency ?? earlier[0]?.primaryCurrency ?? '',
  };
  const suggested = isAnswered(screen)
    ? draftOfSuggestions(suggestions, sheetOfDraft)
    : await draftOfTriedSuggestions(screen, suggestions, file, sheetOfDraft);
  const date = url.searchParams.get('date');
  const draft = isCalendarDate(date) ? { ...suggested, cutOffDate: date } : suggested;
  const open = ruleOf(url.searchParams);
  return {
    step: 'edit' as const,
    company: named,
    file,
    sheets: head.sheets.filter(({ hidden }) => !hidden).map(({ name }) => name),
    sheetName: head.sheetName,
    headerRow: head.headerRow,
    otherSheet: other && otherSheetInWords(other),
    repeated: [...numberedNames(draft.headers)].map(([header, columns]) => ({ header, columns })),
    draft,
    preview: isAnswered(screen) ? null : await previewDraft(screen, draft, file, open, head),
  };
});

export const action = (args: ActionFunctionArgs) => {
  const { searchParams } = new URL(args.request.url);
  const companyId = searchParams.get('company');
  if (companyId && searchParams.get('file'))
    return answerEditor(
      (_, session, body) => createMapping(session, { companyId, body }),
      async (_, session) => (await getCompany(session, companyId)).id,
    )(args);
  return act(
    {
      ...quickCompany('start', 'companyId'),
      start: intent({
        permission: 'assets/ETL/write',
        schema: startSchema,
        async run(value, inner) {
          const [attachment] = value.attachments;
          const file = await confirmNewFile(inner, attachment?.key ?? '');
          return redirect(paths.newMapping({ company: value.companyId, file: file.fileId }));
        },
      }),
    },
    { files: { permission: 'assets/ETL/write', store: storeAttachments() } },
  )(args);
};

export default function NewMapping() {
  const loaded = useLoaderData<typeof loader>();
  const answer = useActionData<EditorAnswer>();
  if (loaded.step === 'start') {
    return (
      <>
        <PageHeader
          title="New mapping"
          facts={[
            'Give one of the borrower\u2019s tapes: a mapping is suggested from its headers and values, for you to check',
          ]}
        />
        <CompanySearch id="mapping-find" picker={loaded.picker} />
        <StartForm
          companies={loaded.picker.choices.map(({ id, name }) => ({ value: id, label: name }))}
          companyId={loaded.companyId}
          mayCreateCompany={loaded.mayCreateCompany}
        />
      </>
    );
  }
  if (loaded.step === 'refused') {
    return (
      <>
        <PageHeader title="New mapping" facts={[loaded.company.name]} />
        <Notice
          tone="danger"
          action={
            loaded.otherSheets ? (
              <Link to={loaded.otherSheets}>Back to the tape’s sheet</Link>
            ) : (
              <Link to={paths.newMapping({ company: loaded.company.id })}>Choose another tape</Link>
            )
          }
        >
          {loaded.problem}
        </Notice>
      </>
    );
  }
  const { company, file, sheets, sheetName, headerRow, otherSheet: other, repeated, draft, preview } = loaded;
  return (
    <>
      <PageHeader
        title="New mapping"
        facts={[
          <b key="company">{company.name}</b>,
          file.name,
          `${formatCount(draft.headers.length, 'column')}, data from row ${headerRow + 1}`,
        ]}
        actions={
          <>
            <LinkButton to={paths.mappings()}>Cancel</LinkButton>
            <Button type="submit" form={MAPPING_FORM} name="edit" value="save" tone="primary">
              Save version 1
            </Button>
          </>
        }
      />
      {sheets.length > 1 ? (
        <Tabs
          label="Sheet to map"
          tabs={sheets.map((name) => ({
            label: name,
            to: paths.newMapping({ company: company.id, file: file.fileId, sheet: name }),
            current: name === sheetName,
          }))}
        />
      ) : null}
      {other ? <Notice tone="warning">{other}</Notice> : null}
      {repeated.length > 0 ? (
        <Notice tone="warning">
          {repeated.map(({ header, columns }) => (
            <p key={header}>
              “{header}” is the header of {columns.length} columns. In rules they are{' '}
              {columns.map((column) => `“${column}”`).join(', ')}, from left to right. Check which one each rule uses.
            </p>
          ))}
        </Notice>
      ) : null}
      <ShownPart
        of={EDITOR}
        key={`${file.fileId} ${sheetName}`}
        initial={{ draft, open: null, view: 'rules', json: null }}
        version={0}
        canEdit
        preview={preview}
        tapes={null}
        answer={answer && 'state' in answer ? answer : undefined}
      />
    </>
  );
}
