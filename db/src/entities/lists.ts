import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { TableValue } from '@tapeline/domain/tables/table.schema.ts';
import { documentProperties } from './base.ts';

/** A manager's named list of options, or its fixings of base rates (collection `tables`). */
export const OptionList = defineEntity({
  name: 'OptionList',
  tableName: 'option_lists',
  properties: {
    ...documentProperties,
    managerId: p.text(),
    name: p.text(),
    values: p.json<TableValue[]>(),
  },
});
export type OptionList = InferEntity<typeof OptionList>;
