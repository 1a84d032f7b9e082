import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import {
  DISTRIBUTION_HEADERS,
  listDistributionHeaders,
} from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { paths } from '../../paths.ts';
import { readHeaderList } from '../header-list.server.ts';
import { HeaderList } from '../header-list.tsx';
import { ownDistributions } from '../own-documents.server.ts';

const COLUMNS = columnsOf('distributions');

export const meta: MetaFunction = () => [{ title: 'Distributions · Tapeline' }];

export const loader = (args: LoaderFunctionArgs) =>
  readHeaderList(args, {
    table: 'distributions',
    headers: DISTRIBUTION_HEADERS,
    list: listDistributionHeaders,
    columns: COLUMNS,
    totals: ['principal', 'amount'],
    own: ownDistributions,
    latest: 'cutOffDate',
  });

export default function Distributions() {
  return (
    <HeaderList
      page={useLoaderData<typeof loader>()}
      id="distributions"
      noun="distribution"
      plural="Distributions"
      ownAmount="Distributed"
      create={{ label: 'New distribution', to: paths.newDistribution() }}
      about="A distribution pays principal, interest and gains of a fund to its investors."
      listTo={{ page: paths.distributions(), rows: paths.distributionRows() }}
      columns={COLUMNS}
      rowTo={(row) => paths.distribution(String(row.id))}
    />
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
