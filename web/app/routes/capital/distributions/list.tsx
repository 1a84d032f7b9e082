import { useLoaderData } from '@remix-run/react';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { paths } from '../../../paths.ts';
import { readHeaderList } from '../header-list.server.ts';
import { HeaderList } from '../header-list.tsx';

const COLUMNS = columnsOf('distributions');

export const handle = { title: 'Distributions' };

export const loader = readHeaderList('distributions');

export default function Distributions() {
  return (
    <HeaderList
      page={useLoaderData<typeof loader>()}
      id="distributions"
      title="Distributions"
      noun="distribution"
      ownAmount="Distributed"
      create={{ label: 'New distribution', to: paths.newDistribution() }}
      columns={COLUMNS}
      rowTo={paths.distribution}
      empty="A distribution pays principal, interest and gains of a fund to its investors."
    />
  );
}
