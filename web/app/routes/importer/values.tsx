import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { changeImportDraft } from '@tapeline/db/operations/importer/drafts.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { IMPORT_COLUMNS } from '@tapeline/domain/importer/columns.ts';
import { MAX_VALUES_BY, type ValuesBy } from '@tapeline/domain/importer/draft.ts';
import { MAX_CELL } from '@tapeline/domain/importer/read-rows.ts';
import { textsOf } from '@tapeline/domain/importer/sheet-rows.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { SelectField, TextField } from '../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../components/forms/screen-form.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { PanelSection } from '../../components/page/section.tsx';
import { act, intent, readScreenOfManager } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { labelOfColumn } from './columns/turn-panel.tsx';
import { type OpenDraft, openDraft } from './draft-page.server.ts';
import { ImportSteps } from './import-steps.tsx';
import { titleOf } from './kind-words.ts';
import { valuesForm, valuesFormDescription } from './values-form.ts';

export const handle = named<typeof loader>(
  ({ id, kind }) => [[titleOf(kind), paths.importCheck(id)], 'Values'],
  ({ kind }) => `Values · ${titleOf(kind)}`,
);

/** The field of a text: the index of its column among those of the kind, and of the text. */
const fieldOf = (column: number, text: number): string => `t${column}-${text}`;

/** The columns whose values depend on a column of the file, with the texts of that column. */
function groupsOf({ content, table, totalRows, headings }: OpenDraft) {
  if (!table) throw new Refusal('notFound');
  const noRecords = new Set([...totalRows.map(({ row }) => row), ...headings]);
  return Object.entries(content.valuesBy ?? {}).flatMap(([key, { letters, values }]) => {
    const index = IMPORT_COLUMNS[content.kind].findIndex((column) => column.key === key);
    const column = IMPORT_COLUMNS[content.kind][index];
    const by = table.columns.find((one) => one.letters === letters);
    const texts = textsOf(table, letters, noRecords).slice(0, MAX_VALUES_BY);
    return column && by ? [{ key, index, column, letters, by: labelOfColumn(by), texts, values }] : [];
  });
}

export const loader = readScreenOfManager('importer/write', async (screen) => {
  const draft = await openDraft(screen);
  const { id, version, content, importId } = draft;
  if (importId) throw redirect(paths.importRecord(importId));
  if (!content.mapping) throw redirect(paths.importColumns(id));
  const groups = groupsOf(draft);
  if (groups.length === 0) throw redirect(paths.importCheck(id));
  return { id, version, kind: content.kind, file: content.sheet?.name ?? '', groups };
});

export const action = act({
  values: intent({
    permission: 'importer/write',
    schema: valuesForm,
    async run(form, screen) {
      const draft = await openDraft(screen);
      const { id, content } = draft;
      const problems: Record<string, string> = {};
      const valuesBy: ValuesBy = Object.fromEntries(
        groupsOf(draft).map(({ key, index, column, letters, texts, values }) => [
          key,
          {
            letters,
            values: {
              ...values,
              ...Object.fromEntries(
                texts.map((text, at) => {
                  const entered = form[fieldOf(index, at)];
                  const value = typeof entered === 'string' ? entered.trim().slice(0, MAX_CELL) : '';
                  if (value === '' && column.isRequired) problems[fieldOf(index, at)] = 'is required';
                  return [text, value];
                }),
              ),
            },
          },
        ]),
      );
      if (Object.keys(problems).length > 0)
        throw new Refusal('badRequest', 'Enter a value for each', { flags: problems });
      await screen.db((session) =>
        changeImportDraft(session, { id, version: form.version, content: { ...content, valuesBy } }),
      );
      return redirect(paths.importCheck(id));
    },
  }),
});

export default function ImportValues() {
  const { id, version, kind, file, groups } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form, fields] = useScreenForm('values', valuesFormDescription, {
    lastResult: answer?.intent === 'values' ? answer.lastResult : undefined,
    defaultValue: {
      version,
      ...Object.fromEntries(
        groups.flatMap(({ index, texts, values }) =>
          texts.map((text, at) => [fieldOf(index, at), values[text] ?? ''] as const),
        ),
      ),
    },
  });
  const labels = (name: string): string => {
    const [, column, text] = /^t(\d+)-(\d+)$/.exec(name) ?? [];
    return groups.find(({ index }) => index === Number(column))?.texts[Number(text)] ?? name;
  };
  return (
    <>
      <PageHeader title={titleOf(kind)} facts={[<b key="name">{file}</b>]} />
      <ImportSteps at="second" file={file} second={{ label: 'Columns', note: 'values by another column' }} />
      <ScreenForm form={form} intent="values" labels={labels}>
        <input type="hidden" name="version" value={version} />
        {groups.map(({ key, index, column, by, texts }) => (
          <PanelSection
            key={key}
            title={column.label}
            note={`for each text of ${by}. ${column.help}`}
            className="grid max-w-[60rem] gap-4 p-4 sm:grid-cols-2"
          >
            {texts.map((text, at) => {
              const field = fields[fieldOf(index, at)];
              if (!field) return null;
              return column.values ? (
                <SelectField
                  key={text}
                  field={field}
                  label={text}
                  empty="Choose one"
                  choices={column.values.map((value) => ({ value, label: value }))}
                />
              ) : (
                <TextField
                  key={text}
                  field={field}
                  label={text}
                  type={column.type === 'date' ? 'date' : 'text'}
                  marksOptional={false}
                />
              );
            })}
          </PanelSection>
        ))}
        <FormActions submit="Check the rows" submitting="Checking">
          <LinkButton to={paths.importColumns(id)} tone="quiet">
            Back
          </LinkButton>
        </FormActions>
      </ScreenForm>
    </>
  );
}
