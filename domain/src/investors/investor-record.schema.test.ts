import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expiriesOf, KYC_RULES } from './investor-record.schema.ts';
import { isLEI } from './lei.ts';
import { lpCreateSchema } from './lp.schema.ts';

const ID = 'a'.repeat(24);
/** The identifiers of GLEIF itself and of Deutsche Bank, as GLEIF publishes them. */
const LEIS = ['506700GE1G29325QX363', '7LTWFZYICNSX8D621K86'];
const form = { form: 'W-8BEN-E', signedOn: '2026-01-31', validUntil: '2029-12-31', file: ID };

const problems = (changes: Record<string, unknown>): string[] => {
  const result = lpCreateSchema.safeParse({ title: 'Calder Valley', entity: ID, ...changes });
  return result.success ? [] : [...new Set(result.error.issues.map(({ path }) => path.join('.')))];
};

describe('the record of an investor enforces its limits', () => {
  test.each([
    ['type', { type: 'pensionFund' }, { type: 'pension' }],
    ['taxId', { taxId: 'x'.repeat(50) }, { taxId: 'x'.repeat(51) }],
    ['taxResidence', { taxResidence: 'NO' }, { taxResidence: 'N' }],
    ['taxResidence', { taxResidence: 'x'.repeat(30) }, { taxResidence: 'x'.repeat(31) }],
    ['lei', { lei: LEIS[0] }, { lei: '506700GE1G29325QX364' }],
    ['kycStatus', { kycStatus: 'inReview' }, { kycStatus: 'expired' }],
    ['kycReason', { kycReason: 'x'.repeat(500) }, { kycReason: 'x'.repeat(501) }],
    ['taxForms', { taxForms: Array(20).fill(form) }, { taxForms: Array(21).fill(form) }],
    ['taxForms.0.form', { taxForms: [form] }, { taxForms: [{ ...form, form: 'W-10' }] }],
    [
      'taxForms.0.validUntil',
      { taxForms: [{ ...form, validUntil: form.signedOn }] },
      { taxForms: [{ ...form, validUntil: '2026-01-30' }] },
    ],
    [
      'payoutAccounts',
      { payoutAccounts: ['USD', 'EUR'].map((currency) => ({ currency, account: 'Main account' })) },
      { payoutAccounts: ['USD', 'USD'].map((currency) => ({ currency, account: 'Main account' })) },
    ],
    [
      'payoutAccounts.0.currency',
      { payoutAccounts: [{ currency: 'USD', account: 'Main account' }] },
      { payoutAccounts: [{ currency: 'USX', account: 'Main account' }] },
    ],
  ])('%s', (path, within, beyond) => {
    expect(problems(within)).toEqual([]);
    expect(problems(beyond)).toEqual([path]);
  });

  test('a refused check has a reason, a decided one a date, and it ends after it', () => {
    const broken = (kyc: object) =>
      KYC_RULES.flatMap(([holds, { path }]) => (holds({ kycStatus: 'notStarted', ...kyc }) ? [] : path));
    const passed = { kycStatus: 'passed', kycDate: '2026-05-01' };
    expect(broken({ kycStatus: 'inReview' })).toEqual([]);
    expect(broken(passed)).toEqual([]);
    expect(broken({ kycStatus: 'passed' })).toEqual(['kycDate']);
    expect(broken({ ...passed, kycStatus: 'refused' })).toEqual(['kycReason']);
    expect(broken({ ...passed, kycStatus: 'refused', kycReason: 'Source of funds' })).toEqual([]);
    expect(broken({ ...passed, kycExpiresOn: '2026-05-02' })).toEqual([]);
    expect(broken({ ...passed, kycExpiresOn: '2026-05-01' })).toEqual(['kycExpiresOn']);
  });
});

describe('a legal entity identifier', () => {
  test('is stored without the spaces and the small letters in which people write it', () => {
    const parsed = lpCreateSchema.parse({ title: 'Calder Valley', entity: ID, lei: ' 7ltw-fzyi cnsx 8d621k86 ' });
    expect(parsed.lei).toBe(LEIS[1]);
  });

  test('holds its check digits: no other digit fits in place of one, and no other letter in place of one', () => {
    expect(LEIS.map(isLEI)).toEqual([true, true]);
    expect(isLEI(LEIS[0]!.slice(0, 19))).toBe(false);
    const character = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    fc.assert(
      fc.property(fc.constantFrom(...LEIS), fc.nat(19), character, (lei, place, other) => {
        // A letter counts as two digits, so that one in place of a digit moves all others, and can fit by chance.
        fc.pre(/\d/.test(other) === /\d/.test(lei[place]!));
        const changed = `${lei.slice(0, place)}${other}${lei.slice(place + 1)}`;
        expect(isLEI(changed)).toBe(changed === lei);
      }),
    );
  });
});

test('what expires first comes first, and of a form that was signed again the later one counts', () => {
  const forms = [
    { form: 'W-8BEN-E', validUntil: '2025-12-31' },
    { form: 'W-8BEN-E', validUntil: '2028-12-31' },
    { form: 'CRS', validUntil: '2026-06-30' },
    { form: 'W-9', validUntil: null },
    { form: 'W-9', validUntil: '2020-01-01' },
  ] as const;
  expect(expiriesOf({ kycStatus: 'passed', kycExpiresOn: '2027-01-01', taxForms: forms })).toEqual([
    { what: 'CRS self-certification', day: '2026-06-30' },
    { what: 'KYC', day: '2027-01-01' },
    { what: 'W-8BEN-E', day: '2028-12-31' },
  ]);
  expect(expiriesOf({ kycStatus: 'inReview', kycExpiresOn: '2027-01-01', taxForms: [] })).toEqual([]);
});
