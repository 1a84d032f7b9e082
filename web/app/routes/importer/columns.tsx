import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { resolveFile } from '@tapeline/db/operations/files/files.ts';
import { changeImportDraft, earlierColumns } from '@tapeline/db/operations/importer/drafts.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { canBeShared, IMPORT_COLUMNS, type ImportColumn } from '@tapeline/domain/importer/columns.ts';
import { MAX_VALUES_BY } from '@tapeline/domain/importer/draft.ts';
import { MAX_CELL } from '@tapeline/domain/importer/read-rows.ts';
import { formOfSheet, textsOf } from '@tapeline/domain/importer/sheet-rows.ts';
import {
  headersOf,
  mappingProblems,
  suggestColumns,
  suggestValues,
  withValuesBy,
} from '@tapeline/domain/importer/suggest-columns.ts';
import { suggestTurn } from '@tapeline/domain/importer/turn-columns.ts';
import { formOf } from '@tapeline/domain/importer/written-cells.ts';
import { readImportFile } from '@tapeline/lake/imports/read-import-file.ts';
import type { ComponentProps } from 'react';
import { Mono } from '../../components/figures/figures.tsx';
import { formatCount } from '../../components/figures/format.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { SelectField, TextField } from '../../components/forms/fields.tsx';
import { FORM_GRID } from '../../components/forms/form-layout.ts';
import { FormActions, ScreenForm, useScreenForm } from '../../components/forms/screen-form.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { PanelSection } from '../../components/page/section.tsx';
import { act, intent, readScreenOfManager } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { mappingForm, mappingFormDescription } from './columns/mapping-form.ts';
import { SheetForm } from './columns/sheet-form.tsx';
import { keepIntent, turnIntent, turnPanelOf } from './columns/turn.server.ts';
import { labelOfColumn, TurnPanel } from './columns/turn-panel.tsx';
import { whichSheetForm } from './columns/which-sheet.ts';
import { openDraft } from './draft-page.server.ts';
import { ImportSteps } from './import-steps.tsx';
import { titleOf } from './kind-words.ts';

export const handle = named<typeof loader>(
  ({ id, kind }) => [[titleOf(kind), paths.importCheck(id)], 'Columns'],
  ({ kind }) => `Columns · ${titleOf(kind)}`,
);

const SHOWN_CELLS = 3;
const REASONS = {
  template: 'same header',
  earlier: 'as in your last file',
  name: 'similar name',
  turned: 'of the turned columns',
} as const;

/** The field of a column, by its index in the kind's columns. */
const fieldOf = (index: number): string => `c${index}`;
/** The field of what all rows have in a column that the file does not have. */
const valueFieldOf = (index: number): string => `v${index}`;
/** The field of the column of the file on which the value depends. */
const byFieldOf = (index: number): string => `b${index}`;
export const loader = readScreenOfManager('importer/write', async (screen) => {
  const { id, version, content, sheet, table, importId } = await openDraft(screen);
  if (importId) throw redirect(paths.importRecord(importId));
  if (!sheet || !table || !content.sheet) throw new Refusal('notFound');
  const { kind, turn = null } = content;
  const headers = headersOf(table);
  const earlier = await screen.db((session) =>
    earlierColumns(session, { kind, headers: sheet.columns.map(({ header }) => header) }),
  );
  const suggested = suggestColumns(kind, headers, earlier.mapping, turn);
  const mapping = content.mapping ?? suggested.mapping;
  const written = content.written ?? earlier.written;
  const form = formOfSheet(kind, table, mapping, written);
  // Which columns have the dates and amounts is still to be chosen.
  const cells = table.rows.flatMap((row) => row.cells);
  const all = formOf({ dates: cells, numbers: cells, isWorkbook: table.kind === 'xlsx' });
  return {
    id,
    version,
    kind,
    file: {
      name: content.sheet.name,
      sheetName: table.sheetName,
      headerRow: table.headerRow,
      rowCount: sheet.rows.length,
    },
    turn: turnPanelOf(kind, { sheet, table, turn }),
    valuesBy: Object.fromEntries(
      Object.entries(content.valuesBy ?? earlier.valuesBy ?? {}).map(([key, { letters }]) => [key, letters]),
    ) as Readonly<Record<string, string>>,
    sheets: table.kind === 'xlsx' ? table.sheets.filter(({ hidden }) => !hidden).map(({ name }) => name) : [],
    headers: headers.map(({ header, letters, cells }) => ({
      header,
      letters,
      cells: [...new Set(cells.filter((cell) => cell.trim() !== ''))].slice(0, SHOWN_CELLS),
    })),
    mapping,
    values: content.values ?? earlier.values ?? suggestValues(kind, mapping),
    reasons: content.mapping ? {} : suggested.reasons,
    asksDates: all.hasNumericDates,
    dates: form.dayFirst === null ? undefined : form.dayFirst ? 'dayFirst' : 'monthFirst',
    asksNumbers: all.hasSeparators,
    numbers: form.decimal === null ? undefined : form.decimal === ',' ? 'comma' : 'point',
  };
});

export const action = act({
  map: intent({
    permission: 'importer/write',
    schema: mappingForm,
    async run(form, screen) {
      const { id, content, sheet, table, totalRows, headings } = await openDraft(screen);
      if (!sheet || !table) throw new Refusal('notFound');
      const headers = sheet.columns.map(({ header }) => header);
      const earlier = await screen.db((session) => earlierColumns(session, { kind: content.kind, headers }));
      const columns = IMPORT_COLUMNS[content.kind];
      const entered = (fieldAt: (index: number) => string): Record<string, string> =>
        Object.fromEntries(
          columns.flatMap(({ key }, index) => {
            const text = form[fieldAt(index)];
            return typeof text === 'string' && text.trim() !== '' ? [[key, text.trim().slice(0, MAX_CELL)]] : [];
          }),
        );
      const mapping = entered(fieldOf);
      // A column of the file goes before one value for all rows.
      const values = Object.fromEntries(Object.entries(entered(valueFieldOf)).filter(([key]) => !(key in mapping)));
      const valuesBy = Object.fromEntries(
        Object.entries(entered(byFieldOf)).flatMap(([key, letters]) =>
          key in mapping || key in values
            ? []
            : [[key, keptValues(letters, content.valuesBy?.[key] ?? earlier.valuesBy?.[key])] as const],
        ),
      );
      const known = new Set(table.columns.map(({ letters }) => letters));
      const problems = Object.entries(
        mappingProblems(content.kind, mapping, known, withValuesBy(values, valuesBy)),
      ).map(([key, reason]) => [fieldOf(columns.findIndex((column) => column.key === key)), reason]);
      const asksValues = Object.keys(valuesBy).length > 0;
      const noRecords = new Set([...totalRows.map(({ row }) => row), ...headings]);
      for (const [key, { letters }] of Object.entries(valuesBy)) {
        const field = byFieldOf(columns.findIndex((column) => column.key === key));
        if (!known.has(letters)) problems.push([field, 'is not a column of the file']);
        else if (textsOf(table, letters, noRecords).length > MAX_VALUES_BY)
          problems.push([field, `has more than ${MAX_VALUES_BY} different texts`]);
      }
      const written = {
        dayFirst: form.dates === undefined ? null : form.dates === 'dayFirst',
        decimal: form.numbers === undefined ? null : form.numbers === 'comma' ? (',' as const) : ('.' as const),
      };
      const { unclearDate, unclearNumber } = formOfSheet(content.kind, table, mapping, written);
      if (unclearDate !== null) problems.push(['dates', `is required, because ${unclearDate} can be two dates`]);
      if (unclearNumber !== null)
        problems.push(['numbers', `is required, because ${unclearNumber} can be two numbers`]);
      if (problems.length > 0)
        throw new Refusal('badRequest', 'Choose the columns again', { flags: Object.fromEntries(problems) });
      await screen.db((session) =>
        changeImportDraft(session, {
          id,
          version: form.version,
          content: { ...content, mapping, values, valuesBy: asksValues ? valuesBy : undefined, written },
        }),
      );
      return redirect(asksValues ? paths.importValues(id) : paths.importCheck(id));
    },
  }),
  turn: turnIntent,
  keep: keepIntent,
  sheet: intent({
    permission: 'importer/write',
    schema: whichSheetForm,
    async run({ version, sheetName = null, headerRow }, screen) {
      const { id, content } = await openDraft(screen);
      const { sheet, kind } = content;
      if (!sheet) throw new Refusal('notFound');
      const file = await screen.db((session) =>
        resolveFile(session, { bucket: 'importerFiles', keyOrId: sheet.fileId }),
      );
      // Another sheet finds its own header row.
      const isOther = sheetName !== null && sheetName !== content.sheet?.sheetName;
      const where = { sheetName, headerRow: isOther && headerRow === 1 ? null : headerRow };
      const table = await readImportFile(screen.context.objects, kind, { key: file.key, ...where });
      const headers = table.columns.map(({ header }) => header);
      const turn = suggestTurn(kind, table);
      const changed = {
        ...content,
        sheet: { ...sheet, ...where, headers },
        mapping: null,
        turn,
        valuesBy: undefined,
        values: undefined,
        written: undefined,
        changes: [],
        removedRows: [],
      };
      await screen.db((session) => changeImportDraft(session, { id, version, content: changed }));
      return redirect(paths.importColumns(id));
    },
  }),
});

/** The values that a person gave for the same column of the file before. */
const keptValues = (letters: string, before: { letters: string; values: Record<string, string> } | undefined) => ({
  letters,
  values: before?.letters === letters ? before.values : {},
});

type Page = ReturnType<typeof useLoaderData<typeof loader>>;

/** What all rows have in a column that the file does not have. */
function SharedValue({
  field,
  column: { type, values },
  className,
}: {
  field: ComponentProps<typeof TextField>['field'];
  column: ImportColumn;
  className: string;
}) {
  const label = 'The same in all rows';
  return values ? (
    <SelectField
      field={field}
      label={label}
      className={className}
      empty="Different, or empty"
      choices={values.map((value) => ({ value, label: value }))}
    />
  ) : (
    <TextField
      field={field}
      label={label}
      className={className}
      type={type === 'date' ? 'date' : 'text'}
      marksOptional={false}
    />
  );
}

function MappingForm({ page }: { page: Page }) {
  const answer = useActionData<typeof action>();
  const { kind, headers, mapping, values, reasons, version, id } = page;
  const columns = IMPORT_COLUMNS[kind];
  const [form, fields] = useScreenForm('map', mappingFormDescription, {
    lastResult: answer?.intent === 'map' ? answer.lastResult : undefined,
    shouldValidate: 'onSubmit',
    defaultValue: {
      version,
      dates: page.dates,
      numbers: page.numbers,
      ...Object.fromEntries(columns.map(({ key }, index) => [fieldOf(index), mapping[key] ?? ''])),
      ...Object.fromEntries(columns.map(({ key }, index) => [valueFieldOf(index), values[key] ?? ''])),
      ...Object.fromEntries(columns.map(({ key }, index) => [byFieldOf(index), page.valuesBy[key] ?? ''])),
    },
  });
  const choices = headers.map(({ header, letters }) => ({ value: letters, label: labelOfColumn({ header, letters }) }));
  const used = new Set(Object.values(mapping));
  const unread = headers.filter(({ letters }) => !used.has(letters));
  const labels = (name: string) =>
    name === 'dates' ? 'Dates' : name === 'numbers' ? 'Numbers' : (columns[Number(name.slice(1))]?.label ?? name);
  return (
    <ScreenForm form={form} intent="map" labels={labels}>
      <input type="hidden" name="version" value={version} />
      <PanelSection title="Columns" note="which column of the file holds what">
        <ul className="divide-y divide-line">
          {columns.map((column, index) => {
            const { key, label, isRequired, help } = column;
            const field = fields[fieldOf(index)];
            const valueField = canBeShared(column) ? fields[valueFieldOf(index)] : undefined;
            const byField = fields[byFieldOf(index)];
            const letters = mapping[key];
            const cells = headers.find((one) => one.letters === letters)?.cells ?? [];
            const reason = reasons[key];
            return (
              <li key={key} className="grid gap-x-6 gap-y-1 px-4 py-2.5 sm:grid-cols-[minmax(0,16rem)_minmax(0,1fr)]">
                {field ? (
                  <SelectField
                    field={field}
                    label={
                      isRequired ? (
                        label
                      ) : (
                        <>
                          {label} <span className="font-normal text-ink-3">(optional)</span>
                        </>
                      )
                    }
                    empty="Not in the file"
                    choices={choices}
                  />
                ) : null}
                {valueField && letters === undefined ? (
                  <div className="order-last grid gap-1">
                    <SharedValue field={valueField} column={column} className="" />
                    {byField ? (
                      <SelectField field={byField} label="Or depending on column" empty="No column" choices={choices} />
                    ) : null}
                  </div>
                ) : null}
                <div className="min-w-0 self-start text-xs text-ink-3 sm:pt-5">
                  <p>{help.replace(/^Optional\.\s*/, '')}</p>
                  {cells.length > 0 ? (
                    <p className="truncate text-ink-2">
                      <Mono>{cells.join(' · ')}</Mono>
                      {reason ? <span className="ml-2 text-ink-3">suggested: {REASONS[reason]}</span> : null}
                    </p>
                  ) : null}
                </div>
              </li>
            );
          })}
        </ul>
      </PanelSection>
      {page.asksDates || page.asksNumbers ? (
        <PanelSection title="Dates and numbers" note="how the file writes them" className={FORM_GRID}>
          {page.asksDates ? (
            <SelectField
              field={fields.dates}
              label="Dates"
              empty="Choose the order"
              choices={[
                { value: 'dayFirst', label: 'Day first: 03/04/2026 is 3 April' },
                { value: 'monthFirst', label: 'Month first: 03/04/2026 is March 4' },
              ]}
            />
          ) : null}
          {page.asksNumbers ? (
            <SelectField
              field={fields.numbers}
              label="Numbers"
              empty="Choose the decimal sign"
              choices={[
                { value: 'point', label: 'Decimal point: 1,250.50' },
                { value: 'comma', label: 'Decimal comma: 1.250,50' },
              ]}
            />
          ) : null}
        </PanelSection>
      ) : null}
      {unread.length > 0 ? (
        <p className="mb-2 text-xs break-words text-ink-3">
          Columns of the file that nothing is suggested for: {unread.map(labelOfColumn).join(', ')}.
        </p>
      ) : null}
      <FormActions submit="Check the rows" submitting="Checking">
        <LinkButton to={paths.newImport(kind)} tone="quiet">
          Upload another file
        </LinkButton>
        <LinkButton to={paths.importer()} tone="quiet" key={id}>
          Cancel
        </LinkButton>
      </FormActions>
    </ScreenForm>
  );
}

export default function ImportColumns() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { kind, file, headers } = page;
  const mapped = Object.keys(page.mapping).length;
  return (
    <>
      <PageHeader
        title={titleOf(kind)}
        facts={[
          <b key="name">{file.name}</b>,
          page.sheets.length > 0 ? `sheet ${file.sheetName}` : 'CSV',
          `headers in row ${file.headerRow}`,
          formatCount(file.rowCount, 'row'),
        ]}
      />
      <ImportSteps
        at="second"
        file={file.name}
        second={{ label: 'Columns', note: `${mapped} of ${headers.length} columns are read` }}
      />
      {file.rowCount === 0 ? <Notice tone="warning">There are no rows below row {file.headerRow}.</Notice> : null}
      <SheetForm page={page} answer={answer?.intent === 'sheet' ? answer.lastResult : undefined} />
      <TurnPanel
        panel={page.turn}
        version={page.version}
        refused={answer?.intent === 'turn' && !answer.done ? (answer.lastResult.error?.[''] ?? []) : []}
      />
      <MappingForm page={page} />
    </>
  );
}
