import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { ratePercentSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import { z } from 'zod';

/** The form for a note's first contract, which starts as an empty draft. */
export const firstContractSchema = z.object({
  note: idSchema,
  cutOffDate: calendarDateSchema,
  assetsETL: z.string('Choose a mapping').pipe(idSchema),
  defaultRate: z.number('Enter a rate in percent').pipe(ratePercentSchema),
});

/** The form field that a path of the first contract comes from. */
export const firstContractFieldOf = (path: readonly PropertyKey[]): string =>
  path[0] === 'advanceRate' ? 'defaultRate' : String(path[0] ?? 'cutOffDate');
