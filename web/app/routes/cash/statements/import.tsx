import { redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { statementAccounts } from '@tapeline/db/operations/cash/statement-accounts.ts';
import { deliveryPrefix, typeOfStatement } from '@tapeline/domain/cash/statement-delivery.ts';
import { flagsAt, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { importStatementFile } from '../../../commands/bank-statements.server.ts';
import { requireFiles, storeDocuments } from '../../../commands/form-files.server.ts';
import { Problem, SelectField } from '../../../components/forms/fields.tsx';
import { FORM_GRID } from '../../../components/forms/form-layout.ts';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { act, intent, readScreenOfManager, type Screen } from '../../../http/screen.server.ts';
import { originOf } from '../../../http/session.server.ts';
import { paths } from '../../../paths.ts';
import { keptFilesOfFields } from '../../capital/documents/statement-fields.tsx';
import { statementFieldsDescription, statementFileForm } from './statement-form.ts';

export const handle = { title: 'Import bank statements' };

export const loader = readScreenOfManager('payments/write', ({ db, url }) =>
  db(async (session) => ({
    accounts: (await statementAccounts(session)).map(({ id, title, accountNumber, csvMapping }) => ({
      id,
      title,
      number: accountNumber,
      hasColumns: csvMapping != null,
    })),
    account: url.searchParams.get('account'),
    prefix: session.actor.kind === 'user' && session.actor.managerId ? deliveryPrefix(session.actor.managerId) : null,
  })),
);

const store = (screen: Screen): Promise<Request> =>
  storeDocuments(screen, { bucket: 'bankStatements', typeOf: typeOfStatement, most: 1 });

/** Where the form shows what is wrong with the call's parts. */
const FIELDS: Readonly<Record<string, string>> = { attachment: 'files', csvMapping: 'bankAccount' };

export const action = act(
  {
    import: intent({
      permission: 'payments/write',
      schema: statementFileForm,
      async run(form, screen) {
        requireFiles(form);
        const [file] = form.files;
        if (!file) throw new Refusal('badRequest', 'Choose a file');
        const { context, actor, request } = screen;
        const imported = await flagsAt(
          importStatementFile(
            { context, actor, origin: originOf(request, context) },
            { attachment: { key: file.key }, bankAccount: form.bankAccount ?? null },
          ),
          (path) => FIELDS[path] ?? path,
        );
        const isNew = imported.filter((one) => one.isNew);
        const repeated = String(imported.length - isNew.length);
        const [only] = imported;
        return redirect(
          only && imported.length === 1 && only.isNew
            ? paths.bankStatement(only.statement.id, { imported: 'yes' })
            : paths.bankStatements(isNew[0] ? { file: isNew[0].statement.fileId, repeated } : { repeated }),
        );
      },
    }),
  },
  { files: { permission: 'payments/write', store } },
);

const Folder = ({ children }: { children: string }) => (
  <code className="ml-2 text-xs break-all text-ink-3">{children}</code>
);

const LABELS = { files: 'File', bankAccount: 'Bank account' };

export default function ImportStatements() {
  const { accounts, account, prefix } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form, fields] = useScreenForm('statements', statementFieldsDescription, {
    lastResult: answer?.lastResult,
    defaultValue: { bankAccount: account ?? '', ...answer?.lastResult.initialValue },
    shouldValidate: 'onSubmit',
  });
  const kept = keptFilesOfFields(answer?.lastResult.initialValue);
  return (
    <>
      <PageHeader title="Import bank statements" facts={['all lines of the file, or none']} />
      <ScreenForm form={form} intent="import" labels={LABELS} encType="multipart/form-data">
        <PanelSection title="File" className={FORM_GRID}>
          <div className="min-w-0">
            <label htmlFor={fields.files.id} className="mb-1 block text-xs font-medium text-ink-2">
              File
            </label>
            <input
              id={fields.files.id}
              type="file"
              name="upload"
              aria-describedby={`${fields.files.id}-hint`}
              className="block w-full max-w-full text-sm text-ink-2 file:mr-3 file:h-8 file:rounded-md file:border file:border-solid file:border-line-strong file:bg-paper file:px-3 file:text-sm file:font-medium file:text-ink hover:file:bg-hover max-sm:file:h-10"
            />
            <p id={`${fields.files.id}-hint`} className="mt-1 text-xs text-ink-3">
              {kept[0]
                ? `${kept[0].name} is stored. Choose again to replace it.`
                : 'camt.053, camt.054, MT940, BAI2 or CSV, at most 16 MB.'}
            </p>
            {kept.map((file, index) =>
              (['field', 'key', 'name'] as const).map((part) => (
                <input key={part} type="hidden" name={`files[${index}].${part}`} value={file[part]} />
              )),
            )}
            <Problem field={fields.files} label={LABELS.files} verb="Choose" />
          </div>
          <SelectField
            field={fields.bankAccount}
            label="Bank account (optional)"
            hint="Only for CSV files: the others name their account"
            empty="Named by the file"
            choices={accounts.map(({ id, title, number }) => ({ value: id, label: `${title}, ${number}` }))}
          />
        </PanelSection>
        <FormActions submit="Import" submitting="Importing" cancelTo={paths.bankStatements()} />
      </ScreenForm>
      <div className="mt-8">
        <PanelSection title="CSV files" note="how each account writes them" padded>
          <ul className="space-y-1 text-sm">
            {accounts.map(({ id, title, hasColumns }) => (
              <li key={id}>
                {title}:{' '}
                <Link to={paths.statementColumns(id)} className="text-accent underline">
                  {hasColumns ? 'change the columns' : 'describe the columns'}
                </Link>
                {prefix === null ? null : <Folder>{`${prefix}${id}/`}</Folder>}
              </li>
            ))}
          </ul>
        </PanelSection>
        {prefix === null ? null : (
          <PanelSection title="Delivery by the bank" note="every minute" padded>
            <p className="text-sm">
              Files in this location of the object storage are imported automatically: <Folder>{prefix}</Folder> CSV
              files go into the folder of their account, shown next to each account above. Your administrator gives the
              bank access.
            </p>
          </PanelSection>
        )}
      </div>
    </>
  );
}
