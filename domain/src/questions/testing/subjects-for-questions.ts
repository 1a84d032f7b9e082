import { ASSET_RESULT_FIELDS } from '../../borrowing-base/result.ts';
import { createCatalog, type FieldCatalog } from '../../filters/catalog.ts';
import { assetCatalog } from '../../tapes/target-schema.ts';
import type { Names } from '../subjects.ts';
import { NAMED } from './first-questions.ts';

const valuesOf = (texts: readonly string[]) => texts.map((value) => ({ value, words: [value] }));
const documentsOf = (documents: readonly { id: string; title: string }[]) =>
  documents.map(({ id, title }) => ({ value: id, words: [title] }));

/** The names that the questions of the tests use, by the path of their field. */
export const TEST_NAMES: Names = {
  fund: documentsOf(NAMED.funds),
  'investor.id': documentsOf(NAMED.investors),
  company: documentsOf(NAMED.companies),
  'address.state': valuesOf(NAMED.states),
  sector: valuesOf(NAMED.sectors),
  industries: valuesOf(NAMED.sectors),
  product: valuesOf(NAMED.products),
  'creditScores.grade': valuesOf(NAMED.grades),
};

/** The fields of assets with two custom fields. */
export const TEST_ASSETS: FieldCatalog = createCatalog([
  ...assetCatalog([
    { path: 'debtToIncome', kind: 'percentage' },
    { path: 'annualIncome', kind: 'amount' },
  ]).fields,
  { path: 'loanTape', label: 'Loan tape', type: 'text' },
  { path: 'company', label: 'Company', type: 'text' },
  { path: 'cutOffDate', label: 'Cut-off date', type: 'date' },
  ...ASSET_RESULT_FIELDS,
]);
