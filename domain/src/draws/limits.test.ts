import { expect, it } from 'vitest';
import { ABSENT, errorsOf, testLimits, text, times } from '../documents/testing/limits.ts';
import { EXAMPLES } from '../specification/example-bodies.ts';
import { drawChangeSchema, drawCreateSchema, drawUpdateSchema } from './draw.schema.ts';

const usd = (sum: number) => ({ sum, currency: 'USD' });
const draw = (type: string, amounts = [usd(1)]) => ({ type, amounts });
const file = { key: 'x' };
const FILLED = 'At least 1 draw type should be filled';
const REASON = 'Enter the reason for the rejection';

testLimits('a draw request', drawCreateSchema, EXAMPLES.drawRequest, [
  ['transaction', EXAMPLES.drawRequest.transaction, 'x', 'Ids are exactly 24 characters'],
  ['noteTitle', text(250), text(251), 'At most 250 characters'],
  ['noteTitle', 'x', '', 'is required'],
  ['dueDate', '2026-11-05', ABSENT, 'is required'],
  ['draws', [draw('Regular')], [], FILLED],
  ['draws', [draw('Regular', []), draw('Prefunding')], [draw('Regular', []), draw('Prefunding', [])], FILLED],
  ['draws', [draw('Regular'), draw('Recycling')], times(2, draw('Regular')), 'Enter each draw type once'],
  [
    'draws',
    ['Regular', 'Prefunding', 'Recycling'].map((type) => draw(type)),
    times(4, draw('Regular')),
    'Enter each draw type once',
  ],
  ['draws.0.type', 'Recycling', 'Other', 'must be one of Regular, Prefunding, Recycling'],
  ['draws.0.amounts', [usd(0.01)], [usd(0)], 'must be above 0', 'draws.0.amounts.0.sum'],
  ['draws.0.amounts', times(200, usd(1)), times(201, usd(1)), 'At most 200 amounts'],
  ['description', text(4000), text(4001), 'At most 4000 characters'],
  ['attachments', times(20, file), times(21, file), 'At most 20 attachments'],
]);

testLimits('an updated draw request', drawUpdateSchema, { version: 3 }, [
  ['version', 1, 0, 'is required'],
  ['draws', [draw('Regular')], [], FILLED],
  ['exceptions', times(500, { status: 'Skipped' }), times(501, { status: 'Skipped' }), 'At most 500 exceptions'],
  [
    'exceptions',
    [{ status: 'Skipped', reason: text(4000) }],
    [{ status: 'Skipped', reason: text(4001) }],
    'At most 4000 characters',
    'exceptions.0.reason',
  ],
  ['status', 'In Review', 'Skipped', /^must be one of Approved, Rejected/],
  ['status', 'Approved', 'Rejected', REASON, 'rejectionMessage'],
  ['reject', false, true, REASON, 'rejectionMessage'],
]);

testLimits('a rejection', drawUpdateSchema, { version: 3, reject: true, rejectionMessage: 'Late tape' }, [
  ['rejectionMessage', 'x', ' ', REASON],
  ['rejectionMessage', text(4000), text(4001), 'At most 4000 characters'],
]);

testLimits('a changed draw request', drawChangeSchema, { id: EXAMPLES.drawRequest.transaction, version: 1 }, [
  ['id', EXAMPLES.drawRequest.transaction, ABSENT, 'is required'],
  ['reject', false, true, REASON, 'rejectionMessage'],
]);

it('is updated with the document as a call returns it', () => {
  const returned = {
    ...EXAMPLES.drawRequest,
    version: 1,
    status: 'In Review',
    draws: [{ ...draw('Regular'), valueInUSD: 1, amountInMainCurrency: usd(1) }],
    exceptions: [{ exception: { message: 'Missing data' }, status: 'Pending', reason: null }],
    rejectionMessage: null,
    attachments: [{ ...file, bucket: 'publicFiles', name: 'x', size: 1, type: 'text/csv', checksum: null }],
  };
  expect(errorsOf(drawUpdateSchema, returned)).toEqual({});
});
