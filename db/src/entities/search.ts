import { defineEntity, p } from '@mikro-orm/core';

/** A word of a document that can be searched. Kept by triggers; the program has no rights on it. */
export const SearchWord = defineEntity({
  name: 'SearchWord',
  tableName: 'search_words',
  properties: {
    word: p.text().primary(),
    documentId: p.text().primary(),
    kind: p.text(),
    managerId: p.text().nullable(),
    companyId: p.text().nullable(),
    fundId: p.text().nullable(),
    lpId: p.text().nullable(),
    issued: p.boolean(),
    line: p.text(),
  },
});

/** The id of an asset that a tape of the company has or had. */
export const AssetId = defineEntity({
  name: 'AssetId',
  tableName: 'asset_ids',
  properties: {
    companyId: p.text().primary(),
    key: p.text().primary(),
    managerId: p.text(),
    assetId: p.text(),
  },
});
