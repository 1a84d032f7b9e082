import { choiceSchema } from '@tapeline/domain/documents/number.schema.ts';
import { TRANSACTION_TYPES, transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { amountSchema } from '@tapeline/domain/money/amount.schema.ts';
import { z } from 'zod';
import { withoutBlanks } from '../../../../components/forms/blank.ts';
import { transactionVersion } from './note-form.ts';

const { title, industries } = transactionSchema.shape;

/** What a transaction has besides its notes. Its company never changes. */
export const transactionFields = {
  title,
  type: choiceSchema(TRANSACTION_TYPES),
  industries: withoutBlanks(industries),
};
export const transactionEditSchema = z.object({
  ...transactionFields,
  managerMaxCommitments: withoutBlanks(z.array(amountSchema).max(400, 'At most 400 amounts')),
  transactionVersion,
});
