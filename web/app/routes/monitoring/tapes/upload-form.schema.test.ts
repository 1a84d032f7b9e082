import { MAX_PROPOSED_FILES } from '@tapeline/domain/tapes/tape.schema.ts';
import { expect, test } from 'vitest';
import { filesFormSchema, uploadFormSchema } from './upload-form.schema.ts';

const tape = {
  fileId: '6b01976444f6d90603e7bae6',
  key: 'a/northwind.xlsx',
  name: 'northwind.xlsx',
  companyId: '6b01976444f6d90603e7bae6',
  cutOffDate: '2026-10-31',
  mainCurrency: 'USD',
  proposed: '{}',
};
const problems = (input: object) =>
  uploadFormSchema.safeParse(input).error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);

test('a form has its tapes, and what they have in common', () => {
  expect(
    uploadFormSchema.parse({ tapes: [tape], calculateBB: 'on', exchangeRates: 'eur 0.92\nGBP: 0.79\n' }),
  ).toMatchObject({
    tapes: [{ ...tape, use: [] }],
    calculateBB: true,
    exchangeRates: { EUR: '0.92', GBP: '0.79' },
    otherAttachments: [],
  });
  expect(uploadFormSchema.parse({ tapes: [{ ...tape, mainCurrency: '' }] })).toMatchObject({
    tapes: [{ mainCurrency: undefined }],
    calculateBB: false,
  });
});

test('what is missing is asked for in words', () => {
  expect(problems({ tapes: [{ ...tape, companyId: undefined, cutOffDate: undefined }] })).toEqual([
    'tapes.0.companyId: Choose a borrower',
    'tapes.0.cutOffDate: Choose a cut-off date',
  ]);
  expect(problems({ tapes: [] })).toEqual(['tapes: Choose at least one file']);
});

test('a new company needs its name, country and currency', () => {
  const fresh = { ...tape, companyId: 'new', newCompany: { name: 'Zephyr Finance', currency: 'USD' } };
  expect(problems({ tapes: [fresh] })).toEqual([expect.stringMatching(/^tapes\.0\.newCompany\.country: /)]);
  const complete = { ...fresh, newCompany: { ...fresh.newCompany, country: 'US' } };
  expect(problems({ tapes: [complete] })).toBeUndefined();
  expect(problems({ tapes: [{ ...tape, companyId: 'new' }] })?.length).toBe(3);
});

test('a suggested mapping needs a column', () => {
  expect(problems({ tapes: [{ ...tape, mapping: 'suggested' }] })).toEqual([
    'tapes.0.mapping: Choose at least one column',
  ]);
  expect(problems({ tapes: [{ ...tape, mapping: 'suggested', use: '0' }] })).toBeUndefined();
});

test('a rate that is none is named', () => {
  expect(problems({ tapes: [tape], exchangeRates: 'EUR zero' })).toEqual([
    'exchangeRates: "EUR zero" is not a rate; enter one per line, such as EUR 0.92',
  ]);
  expect(problems({ tapes: [tape], exchangeRates: 'EUR 0' })).toEqual([
    'exchangeRates: "EUR 0" is not a rate; enter one per line, such as EUR 0.92',
  ]);
});

test('files that were refused on the way say why, and there are not too many', () => {
  const files = (input: object) =>
    filesFormSchema.safeParse(input).error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  const attachments = [{ key: 'a/northwind.xlsx', name: 'northwind.xlsx' }];
  expect(files({ attachments, refused: ['a.xls: The workbook is encrypted', 'b.csv: The file is empty'] })).toEqual([
    'refused: a.xls: The workbook is encrypted\nb.csv: The file is empty',
  ]);
  expect(files({})).toEqual(['attachments: Choose at least one file']);
  const many = (count: number) => ({ attachments: Array(count).fill(attachments[0]) });
  expect(files(many(MAX_PROPOSED_FILES))).toBeUndefined();
  expect(files(many(MAX_PROPOSED_FILES + 1))).toEqual([`attachments: At most ${MAX_PROPOSED_FILES} files at once`]);
});
