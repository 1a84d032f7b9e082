import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';

/** What a person said that a name in a file means: an investor, a fund or a main fund. */
export const ImportName = defineEntity({
  name: 'ImportName',
  tableName: 'import_names',
  properties: {
    id: p.text().primary(),
    managerId: p.text(),
    /** In the form in which names are compared. */
    name: p.text(),
    lpId: p.text().nullable(),
    fundId: p.text().nullable(),
    mainFundId: p.text().nullable(),
    /** Who said it; null for a program. */
    userId: p.text().nullable(),
    confirmedAt: p
      .datetime()
      .$type<Date & Opt>()
      .onCreate(() => new Date()),
  },
});
export type ImportName = InferEntity<typeof ImportName>;
