import { type Caller, sendFile } from '@tapeline/launch/client/caller.ts';
import { readData } from '../data.ts';
import { filtered } from './request-draws.ts';

/** People of investors that the manager moved over from a spreadsheet, by the title of their investor. */
interface ContactFile {
  readonly name: string;
  readonly contacts: readonly {
    readonly LP: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly email: string;
  }[];
}

/** Imports the contacts of investors from a sheet, unless an earlier run has already done so. */
export async function importContacts(api: Caller): Promise<void> {
  const { name, contacts } = readData<ContactFile>('contacts');
  const done = await api.get<unknown[]>(filtered('/files/importer/data', { 'resource.kind': 'users' }));
  if (done.length > 0) return;
  const investors = await api.get<{ title: string; code: number }[]>(
    filtered('/crud/LPs', { title: { in: [...new Set(contacts.map(({ LP }) => LP))] } }),
  );
  const codes = new Map(investors.map(({ title, code }) => [title, code]));
  const lines = contacts.map(({ LP, firstName, lastName, email }) =>
    [firstName, lastName, email, codes.get(LP) ?? ''].join(','),
  );
  const bytes = new TextEncoder().encode(['First name,Last name,Email,LP code', ...lines, ''].join('\n'));
  const file = await sendFile(api, { bucket: 'importerFiles', name, type: 'text/csv', bytes });
  await api.post('/files/importer', { kind: 'users', attachments: [file] });
}
