import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { CALL_HEADERS, listCallHeaders } from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { paths } from '../../paths.ts';
import { readHeaderList } from '../header-list.server.ts';
import { HeaderList } from '../header-list.tsx';
import { ownCalls } from '../own-documents.server.ts';

const COLUMNS = columnsOf('contributions');

export const meta: MetaFunction = () => [{ title: 'Capital calls · Tapeline' }];

export const loader = (args: LoaderFunctionArgs) =>
  readHeaderList(args, {
    table: 'contributions',
    headers: CALL_HEADERS,
    list: listCallHeaders,
    columns: COLUMNS,
    totals: ['amount'],
    own: ownCalls,
    latest: 'dueDate',
  });

export default function Calls() {
  return (
    <HeaderList
      page={useLoaderData<typeof loader>()}
      id="capital-calls"
      noun="call"
      plural="Capital calls"
      ownAmount="To pay"
      create={{ label: 'New capital call', to: paths.newCapitalCall() }}
      about="A call asks the investors of a fund for part of what they have committed."
      listTo={{ page: paths.capitalCalls(), rows: paths.capitalCallRows() }}
      columns={COLUMNS}
      rowTo={(row) => paths.capitalCall(String(row.id))}
    />
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
