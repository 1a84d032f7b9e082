import { listMainFunds, MAIN_FUNDS, type MainFundView } from '@tapeline/db/operations/funds/main-funds.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import type { FilteredSource } from '../../components/filters/filtered-list.ts';
import { rowsFrom } from '../../components/grid/grid-list.ts';
import { fundFields } from '../funds/list/list.server.ts';

const rowOf = ({ members, metadata, closingDate, ...fund }: MainFundView) => ({
  ...pick(fund, 'id', 'code', 'title', 'type', 'strategy', 'currency', 'targetSize', 'hardCap'),
  members: members.length,
  closingDate: closingDate ?? null,
  status: fund.status,
  metadata: { iat: metadata.iat ?? null },
});

export const MAIN_FUND_LIST: FilteredSource = {
  table: MAIN_FUNDS,
  columns: columnsOf('mainFunds'),
  sort: { title: 1 },
  finds: ['title'],
  totals: ['targetSize', 'hardCap'],
  fields: fundFields,
  load: rowsFrom(listMainFunds, rowOf),
};
