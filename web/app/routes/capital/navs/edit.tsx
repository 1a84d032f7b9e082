import { useLoaderData } from '@remix-run/react';
import { changeNavs, listNavs, removeNavs } from '@tapeline/db/operations/capital/navs.ts';
import { paths } from '../../../paths.ts';
import { atRows } from '../capital-form.ts';
import { capitalCrumbs } from '../crumbs.ts';
import { actOnRecorded, readRecorded } from '../recorded/recorded.server.ts';
import { navRowsForm, navRowsFormDescription } from '../recorded/recorded-form.ts';
import { type RecordedPage, RecordedScreen } from '../recorded/recorded-page.tsx';

export const handle = capitalCrumbs<RecordedPage>('Change NAVs', 'navs', ({ fund }) => (fund.id ? fund : null));

export const loader = readRecorded('navs', listNavs, ({ gross, net }) => ({ gross, net }));

export const action = actOnRecorded({
  view: 'navs',
  list: listNavs,
  schema: navRowsForm,
  change: (session, { rows }) => atRows(changeNavs(session, rows)),
  remove: removeNavs,
});

export default function EditNavs() {
  const page = useLoaderData<typeof loader>();
  return (
    <RecordedScreen
      noun={['NAV', 'NAVs']}
      amounts={[
        { field: 'gross', label: 'Gross NAV' },
        { field: 'net', label: 'Net NAV' },
      ]}
      resource="navs"
      description={navRowsFormDescription}
      page={page}
      backTo={page.fund.id ? paths.fund(page.fund.id, { view: 'navs' }) : paths.funds()}
    />
  );
}
