import { ABSENT, testLimits, text, times } from '../documents/testing/limits.ts';
import { EXAMPLES } from '../specification/example-bodies.ts';
import { repaymentChangeSchema, repaymentCreateSchema } from './repayment.schema.ts';

const part = (sum: number) => ({ kind: 'principal', amount: { sum, currency: 'USD' } });

testLimits('a repayment', repaymentCreateSchema, EXAMPLES.repayment, [
  ['noteTitle', text(250), text(251), 'At most 250 characters'],
  ['cutOffDate', '2026-02-28', '2026-02-29', 'Enter a date as YYYY-MM-DD, for example 2026-10-31'],
  ['repayments', [part(1)], [], 'Enter at least one amount'],
  ['repayments', times(100, part(1)), times(101, part(1)), 'At most 100 amounts'],
  ['repayments', [part(0.01)], [part(0)], 'must be above 0', 'repayments.0.amount.sum'],
  ['repayments.0.kind', 'fees', 'fee', 'must be one of principal, interest, fees'],
]);

testLimits(
  'a changed repayment',
  repaymentChangeSchema,
  { id: EXAMPLES.repayment.transaction, version: 1, status: 'Active' },
  [
    ['status', 'Removed', 'Closed', 'must be one of Active, Removed'],
    ['status', 'Active', ABSENT, 'is required'],
    ['removalReason', text(4000), text(4001), 'At most 4000 characters'],
  ],
);
