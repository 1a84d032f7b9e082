import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import {
  MAX_TEXT,
  MAX_TITLE,
  optionalNameSchema,
  optionalTextSchema,
  textSchema,
} from '@tapeline/domain/documents/text.schema.ts';
import {
  noteHoldingSchema,
  notePrioritySchema,
  ONE_HOLDER,
  transactionNoteSchema,
} from '@tapeline/domain/facilities/transaction.schema.ts';
import { amountSchema } from '@tapeline/domain/money/amount.schema.ts';
import { z } from 'zod';
import { optionalGroup, withoutBlanks } from '../../../../components/forms/blank.ts';

const { title, mainCurrency } = transactionNoteSchema.shape;
const holdingShape = noteHoldingSchema.shape;
const holding = z.object({ ...holdingShape, holding: optionalNameSchema(MAX_TITLE) }).refine(...ONE_HOLDER);

/** A note without its terms and tranches. Names and limits are those of the document. */
export const noteForm = z.object({
  title,
  operational: z.boolean().default(false),
  mainCurrency,
  priority: optionalGroup(notePrioritySchema),
  security: withoutBlanks(z.array(textSchema(1, MAX_TEXT)).max(200, 'At most 200 entries')),
  legalAgreements: withoutBlanks(z.array(textSchema(1, MAX_TEXT)).max(200, 'At most 200 entries')),
  counselsCompany: withoutBlanks(z.array(idSchema).max(200, 'At most 200 entries')),
  counselsManager: withoutBlanks(z.array(idSchema).max(200, 'At most 200 entries')),
  holdings: withoutBlanks(z.array(holding).max(200, 'A note has at most 200 holdings')),
  futureInvestmentRights: optionalGroup(
    z.object({ description: optionalTextSchema(MAX_TEXT).transform((text) => text ?? ''), amount: amountSchema }),
  ),
});

/** The lists of a note that `act` edits without JavaScript. */
export const NOTE_LISTS = [
  'note.security',
  'note.legalAgreements',
  'note.counselsCompany',
  'note.counselsManager',
  'note.holdings',
];

export const transactionVersion = z.coerce.number().int().min(1);
export const noteEditSchema = z.object({ note: noteForm, transactionVersion });
