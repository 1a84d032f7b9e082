import { expect, test } from 'vitest';
import { toUpload, uploadFormSchema } from './upload-form.schema.ts';

const form = {
  companyId: '6b01976444f6d90603e7bae6',
  cutOffDate: '2026-10-31',
  mainCurrency: 'USD',
  attachments: [{ key: 'a/northwind.xlsx', name: 'northwind.xlsx' }],
};
const problems = (input: object) =>
  uploadFormSchema.safeParse(input).error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);

test('a form becomes the command of the REST call', () => {
  const parsed = uploadFormSchema.parse({ ...form, calculateBB: 'on', exchangeRates: 'eur 0.92\nGBP: 0.79\n' });
  expect(toUpload(parsed)).toMatchObject({
    calculateBB: true,
    exchangeRates: { EUR: '0.92', GBP: '0.79' },
    otherAttachments: [],
  });
  expect(toUpload(uploadFormSchema.parse(form))).toEqual({
    ...form,
    calculateBB: false,
    again: false,
    otherAttachments: [],
    onDoubt: 'ask',
  });
});

test('what is missing is asked for in words', () => {
  expect(problems({ attachments: [] })).toEqual([
    'companyId: Choose a company',
    'cutOffDate: Choose a cut-off date',
    'attachments: Choose at least one file',
  ]);
});

test('a rate that is none is named', () => {
  expect(problems({ ...form, exchangeRates: 'EUR zero' })).toEqual([
    'exchangeRates: "EUR zero" is not a rate; enter one per line, such as EUR 0.92',
  ]);
  expect(problems({ ...form, exchangeRates: 'EUR 0' })).toEqual([
    'exchangeRates: "EUR 0" is not a rate; enter one per line, such as EUR 0.92',
  ]);
});

test('files that were refused on the way say why', () => {
  expect(problems({ ...form, refused: ['a.xls: The workbook is encrypted', 'b.csv: The file is empty'] })).toEqual([
    'refused: a.xls: The workbook is encrypted\nb.csv: The file is empty',
  ]);
});
