import { firstOfEach, joined, type StoredCollection, TITLE_OF } from '../../collections/stored-collection.ts';
import { Mapping } from '../../entities/lending.ts';

export const storedMappings = {
  entity: Mapping,
  title: joined(TITLE_OF.company, `'version ' || t.mapping_version`),
  // The versions of a mapping are found as one.
  found: {
    from: firstOfEach('mappings', 't.family_id', 't.mapping_version desc'),
    title: 't.loan_tape_sheet_name',
    detail: joined(`'v' || t.mapping_version`, TITLE_OF.company),
  },
  fields: {
    company: 'text',
    family: ['Mapping', 'text'],
    version: 'number',
    primaryCurrency: 'text',
    cutOffDate: 'date',
    loanTapeSheetName: 'text',
  },
} as const satisfies StoredCollection;
