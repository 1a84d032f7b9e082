import { expect, it } from 'vitest';
import { ABSENT, testLimits, text, times } from '../documents/testing/limits.ts';
import { EXAMPLES } from '../specification/example-bodies.ts';
import { commitmentChangeSchema, commitmentCreateSchema, commitmentUpdateSchema } from './commitment.schema.ts';

const { fund: ID } = EXAMPLES.commitment;
const delta = { date: '2026-09-30', amount: -1 };
const usd = (sum: number) => ({ sum, currency: 'USD' });

testLimits('a commitment', commitmentCreateSchema, EXAMPLES.commitment, [
  ['fund', ID, ABSENT, 'is required'],
  ['investor', { id: ID, kind: 'fund' }, ABSENT, 'is required'],
  ['Class', text(100), text(101), 'At most 100 characters'],
  ['closingDate', '2026-01-01', '2026-00-01', 'Enter a date as YYYY-MM-DD, for example 2026-10-31'],
  ['status', 'Draft', 'Removed', 'must be one of Draft, Active'],
  ['maxCommitment', 45_000_000, -1, 'must be at least 0'],
  ['activeCommitment', 50_000_000, 50_000_000.01, 'must be at most the maximum commitment'],
  ['activeCommitment', usd(50_000_000), usd(50_000_001), 'must be at most the maximum commitment'],
  ['deltas', times(500, delta), times(501, delta), 'At most 500 changes'],
  ['deltas.0.amount', -0.01, 0, 'must not be 0'],
  ['deltas.0.amount', { sum: -5, currency: 'USD' }, { sum: 0, currency: 'USD' }, 'must not be 0'],
  ['deltas.0.title', text(150), text(151), 'At most 150 characters'],
  ['fees.management.committed', 100, 100.01, 'must be at most 100'],
  ['fees.success.hurdle', 0, -0.01, 'must be at least 0'],
  ['fees.transaction.cap', 100, 101, 'must be at most 100'],
  ['fees.overallCap', 0, -1, 'must be at least 0'],
]);

testLimits('an updated commitment', commitmentUpdateSchema, { ...EXAMPLES.commitment, version: 2 }, [
  ['version', 1, ABSENT, 'is required'],
  ['status', 'Closed', 'Removed', 'must be one of Draft, Active, Closed'],
  ['activeCommitment', null, 50_000_001, 'must be at most the maximum commitment'],
]);

testLimits('a changed commitment', commitmentChangeSchema, { id: ID, version: 1 }, [
  ['maxCommitment', usd(1), usd(-1), 'must be at least 0'],
  ['deltas', [], times(501, delta), 'At most 500 changes'],
]);

it('keeps the currency of a sum that a call returned, for the operation to check', () => {
  const body = { ...EXAMPLES.commitment, maxCommitment: usd(50_000_000) };
  expect(commitmentCreateSchema.parse(body)).toMatchObject({
    maxCommitment: { sum: '50000000', currency: 'USD' },
    activeCommitment: { sum: '45000000', currency: null },
  });
});
