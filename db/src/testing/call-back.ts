import type { AccountCheck } from '@tapeline/domain/investors/investor-record.schema.ts';

/** How a second person has checked an account, on this day. */
export const calledBack = (now: Date = new Date()): AccountCheck => ({
  number: '+44 20 7946 0018, subscription agreement of 2024',
  contact: 'Ann Berg',
  calledOn: now.toISOString().slice(0, 10),
  readBack: true,
});
