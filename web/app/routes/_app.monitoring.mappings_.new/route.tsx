import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { Link, type ShouldRevalidateFunctionArgs, useActionData, useLoaderData } from '@remix-run/react';
import { createMapping, earlierRulesOf } from '@tapeline/db/operations/mappings/mappings.ts';
import { getCompany, listCompanies } from '@tapeline/db/operations/people/people.ts';
import { CURRENCIES } from '@tapeline/domain/money/currencies.ts';
import { numberedNames } from '@tapeline/domain/tapes/headers.ts';
import { type Rule, ruleSchema } from '@tapeline/domain/tapes/rule.schema.ts';
import { suggestMapping } from '@tapeline/domain/tapes/suggest/suggest-mapping.ts';
import { Button, LinkButton } from '../../components/forms/button.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Tabs } from '../../components/page/tabs.tsx';
import { formatCount } from '../../figures/format.ts';
import { draftOfSuggestions } from '../../mappings/draft.ts';
import { headOf, previewDraft } from '../../mappings/draft-preview.server.ts';
import { MAPPING_FORM, MappingEditor } from '../../mappings/editor/mapping-editor.tsx';
import { needsReading, ruleOf } from '../../mappings/editor-address.ts';
import {
  answerEditor,
  confirmNewFile,
  type EditorAnswer,
  fileToTryOn,
  isAnswered,
  samplesOf,
} from '../../mappings/mapping-editor.server.ts';
import { paths } from '../../paths.ts';
import { act, intent, readScreen } from '../../screen.server.ts';
import { storeFilesOfForm } from '../../tapes/form-files.server.ts';
import { StartForm, startSchema } from './start-form.tsx';

export const meta: MetaFunction = () => [{ title: 'New mapping · Tapeline' }];
export const handle = { crumbs: () => [{ label: 'New mapping' }] };
export const shouldRevalidate = (args: ShouldRevalidateFunctionArgs) => needsReading(args);

const choices = CURRENCIES.map(({ code, name }) => ({ value: code, label: `${code}, ${name}` }));

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'assets/ETL/write', async (screen) => {
    const { db, url, context } = screen;
    const { company: companyId, file: fileId, sheet } = Object.fromEntries(url.searchParams);
    if (!companyId || !fileId) {
      const companies = await db(
        async (session) => (await listCompanies(session, { sort: { 'entity.name': 1 }, limit: 500 })).documents,
      );
      const [only] = companies;
      const chosen = companyId ?? (companies.length === 1 ? only?.id : undefined) ?? null;
      return {
        step: 'start' as const,
        companyId: chosen,
        companies: companies.map(({ id, entity }) => ({ value: id, label: entity.name })),
      };
    }
    const { company, file, earlier } = await db(async (session) => ({
      company: await getCompany(session, companyId),
      file: await fileToTryOn(session, { fileId }),
      earlier: await earlierRulesOf(session, companyId),
    }));
    const named = { id: companyId, name: company.entity.name };
    const inspected = file
      ? await headOf(context, file, { sheetName: sheet || null, isMappingsSheet: false, isSurveyed: true })
      : { fault: 'The tape is not there any more.' };
    if ('fault' in inspected || !file) {
      return {
        step: 'refused' as const,
        company: named,
        fault: 'fault' in inspected ? inspected.fault : '',
        /** Where one sheet was asked for, the workbook's others are still to be looked at. */
        otherSheets: sheet && fileId ? paths.newMapping({ company: companyId, file: fileId }) : null,
      };
    }
    const { head } = inspected;
    const rules = earlier.map((list) =>
      list.flatMap((rule): Rule[] => {
        const parsed = ruleSchema.safeParse(rule);
        return parsed.success ? [parsed.data] : [];
      }),
    );
    const draft = draftOfSuggestions(suggestMapping({ columns: samplesOf(head), earlier: rules }), {
      sheetName: head.sheetName,
      headers: head.columns.map(({ header }) => header),
      primaryCurrency: 'USD',
    });
    const open = ruleOf(url.searchParams);
    return {
      step: 'edit' as const,
      company: named,
      file,
      sheets: head.sheets.filter(({ hidden }) => !hidden).map(({ name }) => name),
      sheetName: head.sheetName,
      headerRow: head.headerRow,
      repeated: [...numberedNames(draft.headers)].map(([header, columns]) => ({ header, columns })),
      draft,
      preview: isAnswered(screen) ? null : await previewDraft(context, draft, file, open, head),
    };
  });

export const action = (args: ActionFunctionArgs) => {
  const { searchParams } = new URL(args.request.url);
  const companyId = searchParams.get('company');
  if (companyId && searchParams.get('file'))
    return answerEditor(args, (_, session, body) => createMapping(session, { companyId, body }));
  return readScreen(args, 'assets/ETL/write', async (screen) =>
    act(
      { ...args, request: await storeFilesOfForm(screen) },
      {
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
    ),
  );
};

export default function NewMapping() {
  const loaded = useLoaderData<typeof loader>();
  const answer = useActionData() as EditorAnswer | undefined;
  if (loaded.step === 'start') {
    return (
      <>
        <PageHeader
          title="New mapping"
          facts={[
            'Give one of the company\u2019s tapes: a mapping is suggested from its headers and values, for you to check',
          ]}
        />
        <StartForm companies={loaded.companies} companyId={loaded.companyId} />
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
              <Link to={loaded.otherSheets}>Back to the sheet with the tape</Link>
            ) : (
              <Link to={paths.newMapping({ company: loaded.company.id })}>Choose another tape</Link>
            )
          }
        >
          {loaded.fault}
        </Notice>
      </>
    );
  }
  const { company, file, sheets, sheetName, headerRow, repeated, draft, preview } = loaded;
  return (
    <>
      <PageHeader
        title="New mapping"
        facts={[
          <b key="company">{company.name}</b>,
          file.name,
          `${formatCount(draft.headers.length, 'column')}, data from row ${headerRow + 1} on`,
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
      {repeated.length > 0 ? (
        <Notice tone="warning">
          {repeated.map(({ header, columns }) => (
            <p key={header}>
              “{header}” stands over {columns.length} columns. Rules read them as{' '}
              {columns.map((column) => `“${column}”`).join(', ')}, from left to right: check which is which.
            </p>
          ))}
        </Notice>
      ) : null}
      <MappingEditor
        key={`${file.fileId} ${sheetName}`}
        initial={{ draft, open: null, view: 'rules', json: null }}
        version={0}
        canEdit
        preview={preview}
        files={[]}
        currencies={choices}
        answer={answer && 'state' in answer ? answer : undefined}
      />
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../components/page/error-screen.tsx';
