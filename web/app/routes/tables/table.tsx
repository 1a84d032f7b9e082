import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { getTable, importFixings, removeTable, updateTable } from '@tapeline/db/operations/tables/tables.ts';
import { type TableValue, tableUpdateSchema, valueKey } from '@tapeline/domain/tables/table.schema.ts';
import { formatCount } from '../../components/figures/format.ts';
import { HistorySection } from '../../components/history/action-list.tsx';
import { AskOnPage } from '../../components/overlays/ask-on-page.tsx';
import { ConfirmForm } from '../../components/overlays/confirm-form.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { Columns } from '../../components/page/section.tsx';
import { documentOfForm } from '../../http/form-document.ts';
import { act, intent, readScreen, type Screen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { AddFixing, FixingsTable, ImportFixings, RatesOverTime } from './base-rates.tsx';
import { AddValues, OptionValues, Rename } from './option-values.tsx';
import {
  addValuesSchema,
  fixingSchema,
  importSchema,
  MAX_FILE_BYTES,
  removeFixingSchema,
  removeTableSchema,
  renameSchema,
  valueSchema,
} from './table-form.ts';
import { viewTable } from './table-page.server.ts';

export const handle = named<typeof loader>(({ page }) => [page.name]);

export const loader = readScreen('tables/read', async (screen) => ({ page: await viewTable(screen) }));

/** Changes the list's values at the version that the form showed, and returns to the list. */
async function change(
  { db, params: { id = '' } }: Screen,
  version: number,
  next: (values: TableValue[]) => Partial<{ name: string; values: (TableValue | string)[] }>,
) {
  await db(async (session) => {
    const { name, values } = await getTable(session, id);
    const body = documentOfForm(tableUpdateSchema, { name, values, version, ...next(values) }, (path) =>
      path[0] === 'name' ? 'name' : 'values',
    );
    await updateTable(session, { id, body });
  });
  return redirect(paths.table(id));
}

const setRetired = (isRetired: boolean) =>
  intent({
    permission: 'tables/write',
    schema: valueSchema,
    run: ({ title, tableVersion }, screen) =>
      change(screen, tableVersion, (values) => ({
        values: values.map((value) => (value.title === title ? { ...value, isRetired } : value)),
      })),
  });

export const action = act(
  {
    add: intent({
      permission: 'tables/write',
      schema: addValuesSchema,
      run: ({ values: added, tableVersion }, screen) =>
        change(screen, tableVersion, (values) => ({ values: [...values, ...added] })),
    }),
    rename: intent({
      permission: 'tables/write',
      schema: renameSchema,
      run: ({ name, tableVersion }, screen) => change(screen, tableVersion, () => ({ name })),
    }),
    retire: setRetired(true),
    restore: setRetired(false),
    removeValue: intent({
      permission: 'tables/write',
      schema: valueSchema,
      run: ({ title, tableVersion }, screen) =>
        change(screen, tableVersion, (values) => ({ values: values.filter((value) => value.title !== title) })),
    }),
    fixing: intent({
      permission: 'tables/write',
      schema: fixingSchema,
      run: ({ tableVersion, ...fixing }, screen) =>
        saveFixings(screen, tableVersion, [{ ...fixing, isRetired: false }]),
    }),
    import: intent({
      permission: 'tables/write',
      schema: importSchema,
      run: ({ fixings, tableVersion }, screen) => saveFixings(screen, tableVersion, fixings),
    }),
    removeFixing: intent({
      permission: 'tables/write',
      schema: removeFixingSchema,
      run: ({ title, date, tableVersion }, screen) =>
        change(screen, tableVersion, (values) => ({
          values: values.filter((value) => valueKey(value) !== valueKey({ title, date })),
        })),
    }),
    remove: intent({
      permission: 'tables/write',
      schema: removeTableSchema,
      async run({ confirmed }, { db, params: { id = '' } }) {
        if (!confirmed) return redirect(paths.table(id, { confirm: 'remove' }));
        await db((session) => removeTable(session, id));
        return redirect(paths.tables());
      },
    }),
  },
  { maxBytes: 3 * MAX_FILE_BYTES, textFile: { field: 'fixings', maxBytes: MAX_FILE_BYTES } },
);

async function saveFixings({ db, params: { id = '' } }: Screen, version: number, fixings: readonly TableValue[]) {
  const { added, changed, unchanged } = await db((session) => importFixings(session, { id, version, fixings }));
  return redirect(paths.table(id, { done: [added, changed, unchanged].join('-') }));
}

/** What an import changed, from the address: "12-1-0". */
function importedText(done: string | null): string | null {
  const [, added = '', changed = '', unchanged = ''] = /^(\d{1,5})-(\d{1,5})-(\d{1,5})$/.exec(done ?? '') ?? [];
  if (added === '') return null;
  return `${formatCount(Number(added), 'fixing')} added, ${changed} corrected, ${unchanged} unchanged.`;
}

const REMOVING = 'Forms will no longer suggest its values. Documents keep what they have.';

export default function TableScreen() {
  const { page } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { id, name, version, isDated, mayWrite, isUsed, history } = page;
  const isOfForm = ['add', 'rename', 'fixing', 'import'].includes(answer?.intent ?? '');
  const problems =
    answer && !answer.done && !isOfForm ? Object.values(answer.lastResult.error ?? {}).flatMap((one) => one ?? []) : [];
  const imported = importedText(page.done);
  const values = { tableVersion: String(version) };
  return (
    <>
      <PageHeader
        title={name}
        facts={[formatCount(page.total, isDated ? 'fixing' : 'value'), ...(isUsed ? ['in use'] : [])]}
        actions={
          mayWrite && !isUsed ? (
            <ConfirmForm
              intent="remove"
              values={values}
              label="Remove list"
              title={`Remove the list ${name}?`}
              consequence={REMOVING}
              confirm="Remove"
            />
          ) : null
        }
      />
      {problems.length > 0 ? <Notice tone="danger">{problems.join(' ')}</Notice> : null}
      {imported ? <Notice tone="good">{imported}</Notice> : null}
      {page.asksToRemove && mayWrite && !isUsed ? (
        <AskOnPage
          intent="remove"
          values={values}
          title={`Remove the list ${name}?`}
          consequence={REMOVING}
          confirm="Remove"
          backTo={paths.table(id)}
        />
      ) : null}
      {isDated ? <RatesOverTime page={page} /> : null}
      <Columns split="wide">
        {isDated ? <FixingsTable page={page} /> : <OptionValues page={page} />}
        {mayWrite ? (
          <div key={version} className="min-w-0">
            {isDated ? (
              <>
                <AddFixing page={page} answer={answer} />
                <ImportFixings page={page} answer={answer} />
              </>
            ) : (
              <>
                <AddValues page={page} answer={answer} />
                {isUsed ? null : <Rename page={page} answer={answer} />}
              </>
            )}
          </div>
        ) : null}
      </Columns>
      {history ? <HistorySection history={history} all={{ resource: 'tables', id }} /> : null}
    </>
  );
}
