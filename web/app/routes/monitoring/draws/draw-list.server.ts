import { DRAWS, listDraws } from '@tapeline/db/operations/draws/draw-views.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { DRAW_STATUSES } from '@tapeline/domain/draws/draw.schema.ts';
import { type FilteredSource, fieldsWith } from '../../../components/filters/filtered-list.ts';
import { rowsFrom } from '../../../components/grid/grid-list.ts';

export const DRAW_LIST: FilteredSource = {
  table: DRAWS,
  columns: columnsOf('draws'),
  sort: { 'metadata.iat': -1 },
  finds: [],
  totals: ['amountInMainCurrency.sum'],
  fields: fieldsWith({ status: DRAW_STATUSES }),
  load: rowsFrom(listDraws, (draw) => ({ ...draw, transaction: { title: draw.transactionTitle } })),
};
