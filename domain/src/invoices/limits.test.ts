import { testLimits, text } from '../documents/testing/limits.ts';
import {
  invoiceCreateSchema,
  invoiceIssueSchema,
  invoiceUpdateSchema,
  invoiceWithdrawalSchema,
} from './invoice.schema.ts';

const ORDER = 'must name principal, interest, fees once each';

testLimits(
  'an invoice',
  invoiceCreateSchema,
  {
    transaction: '65f000000000000000000001',
    noteTitle: 'Senior',
    currency: 'USD',
    from: '2026-01-01',
    to: '2026-04-01',
    dueDate: '2026-04-30',
    principal: { sum: 1, currency: 'USD' },
  },
  [
    ['noteTitle', text(250), text(251), 'At most 250 characters'],
    ['to', '2026-01-02', '2026-01-01', 'must be after the first day'],
    ['from', '2025-03-31', '2025-03-30', 'must be at most 366 days after the first day', 'to'],
    ['dueDate', '2026-04-01', '2026-03-31', 'must not be before the end of the period'],
    ['principal.sum', 0, -0.01, 'must be at least 0', 'principal'],
    ['waterfall', ['interest', 'fees', 'principal'], ['interest', 'fees', 'fees'], ORDER],
    ['waterfall', ['principal', 'interest', 'fees'], ['interest', 'fees'], ORDER],
    ['description', text(2000), text(2001), 'At most 2000 characters'],
  ],
);

testLimits(
  'changing a draft',
  invoiceUpdateSchema,
  { version: 1, from: '2026-01-01', to: '2026-04-01', dueDate: '2026-04-30' },
  [
    ['version', 1, 0, 'is required'],
    ['to', '2026-01-02', '2026-01-01', 'must be after the first day'],
    ['from', '2025-03-31', '2025-03-30', 'must be at most 366 days after the first day', 'to'],
    ['dueDate', '2026-04-01', '2026-03-31', 'must not be before the end of the period'],
    ['waterfall', ['interest', 'fees', 'principal'], ['interest', 'fees', 'fees'], ORDER],
    ['description', text(2000), text(2001), 'At most 2000 characters'],
  ],
);

testLimits('issuing an invoice', invoiceIssueSchema, { version: 1, amount: { sum: 1, currency: 'USD' } }, [
  ['version', 1, 0, 'is required'],
]);

testLimits('withdrawing an invoice', invoiceWithdrawalSchema, { version: 1, reason: 'Wrong period' }, [
  ['reason', text(500), text(501), 'At most 500 characters'],
  ['reason', 'x', ' ', 'is required'],
]);
