import { useLoaderData } from '@remix-run/react';
import { changeWriteOffs, listWriteOffs, removeWriteOffs } from '@tapeline/db/operations/capital/write-offs.ts';
import { paths } from '../../../paths.ts';
import { atRows } from '../capital-form.ts';
import { capitalCrumbs } from '../crumbs.ts';
import { actOnRecorded, readRecorded } from '../recorded/recorded.server.ts';
import { writeOffRowsForm, writeOffRowsFormDescription } from '../recorded/recorded-form.ts';
import { type RecordedPage, RecordedScreen } from '../recorded/recorded-page.tsx';

export const handle = capitalCrumbs<RecordedPage>('Change write-offs', 'navs', ({ fund }) => (fund.id ? fund : null));

export const loader = readRecorded('writeOffs', listWriteOffs, ({ amount }) => ({ amount }));

export const action = actOnRecorded({
  view: 'navs',
  list: listWriteOffs,
  schema: writeOffRowsForm,
  change: (session, { rows }, currency) =>
    atRows(
      changeWriteOffs(
        session,
        rows.map((row) => ({ ...row, amount: { sum: row.amount, currency } })),
      ),
    ),
  remove: removeWriteOffs,
});

export default function EditWriteOffs() {
  const page = useLoaderData<typeof loader>();
  return (
    <RecordedScreen
      noun={['write-off', 'write-offs']}
      amounts={[{ field: 'amount', label: 'Amount' }]}
      resource="writeOffs"
      description={writeOffRowsFormDescription}
      page={page}
      backTo={page.fund.id ? paths.fund(page.fund.id, { view: 'navs' }) : paths.funds()}
    />
  );
}
