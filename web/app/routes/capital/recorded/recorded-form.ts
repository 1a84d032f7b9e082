import { CAPITAL_TRANSITIONS } from '@tapeline/domain/capital/states.ts';
import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { versionSchema } from '@tapeline/domain/documents/document.schema.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { optionalTextSchema } from '@tapeline/domain/documents/text.schema.ts';
import { REQUIRED } from '@tapeline/domain/errors/required.ts';
import { moneySchema, positiveSchema } from '@tapeline/domain/money/amount.schema.ts';
import { z } from 'zod';
import { describeForm } from '../../../components/forms/describe-form.ts';

/** NAVs or write-offs that are changed together. */
export const MAX_RECORDED = 100;

const ids = z.array(idSchema).min(1, { message: REQUIRED }).max(MAX_RECORDED, { message: 'are too many' });

const rowsOf = <Row extends z.ZodType>(row: Row) =>
  z
    .array(row)
    .min(1, { message: 'Nothing here can be changed' })
    .max(MAX_RECORDED, { message: `At most ${MAX_RECORDED} at once` });

const shared = {
  id: idSchema,
  version: z.coerce.number().pipe(versionSchema),
  cutOffDate: calendarDateSchema,
  status: z.enum(['Draft', 'Active', 'Closed']),
};

export const navRowsForm = z.object({
  rows: rowsOf(z.object({ ...shared, gross: moneySchema, net: moneySchema })),
});
export const navRowsFormDescription = describeForm(navRowsForm);
export const writeOffRowsForm = z.object({ rows: rowsOf(z.object({ ...shared, amount: positiveSchema })) });
export const writeOffRowsFormDescription = describeForm(writeOffRowsForm);

export const recordedRemovalForm = z.object({ ids, reason: optionalTextSchema(500) });
export const recordedRemovalFormDescription = describeForm(recordedRemovalForm);

/** The statuses that a document can have after a change. */
export const statusChoices = (status: string): { value: string; label: string }[] =>
  (['Draft', 'Active', 'Closed'] as const)
    .filter((to) => to === status || CAPITAL_TRANSITIONS.allows(status as typeof to, to))
    .map((value) => ({ value, label: value }));

/** The ids in an address: `?id=` repeated. */
export const idsOf = (search: URLSearchParams): string[] =>
  [...new Set(search.getAll('id').filter((id) => idSchema.safeParse(id).success))].slice(0, MAX_RECORDED);
