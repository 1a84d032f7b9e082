import { useLoaderData } from '@remix-run/react';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { paths } from '../../../paths.ts';
import { readHeaderList } from '../header-list.server.ts';
import { HeaderList } from '../header-list.tsx';

const COLUMNS = columnsOf('contributions');

export const handle = { title: 'Capital calls' };

export const loader = readHeaderList('contributions');

export default function Calls() {
  return (
    <HeaderList
      page={useLoaderData<typeof loader>()}
      id="capital-calls"
      title="Capital calls"
      noun="call"
      ownAmount="Called"
      create={{ label: 'New capital call', to: paths.newCapitalCall() }}
      columns={COLUMNS}
      rowTo={paths.capitalCall}
      empty="A call asks the investors of a fund for part of what they have committed."
    />
  );
}
