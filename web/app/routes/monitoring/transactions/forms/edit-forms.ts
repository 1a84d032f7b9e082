import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { choiceSchema } from '@tapeline/domain/documents/number.schema.ts';
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
  TRANSACTION_TYPES,
  transactionNoteSchema,
  transactionSchema,
  transactionTrancheSchema,
} from '@tapeline/domain/facilities/transaction.schema.ts';
import { amountSchema } from '@tapeline/domain/money/amount.schema.ts';
import { z } from 'zod';
import { optionalGroup, withoutBlanks } from '../../../../components/forms/blank.ts';
import { describeForm } from '../../../../components/forms/describe-form.ts';
import { versionField } from '../../../../components/forms/version-field.ts';
import { noteTermsForm, trancheTermsForm } from './terms-form.ts';

const { mainCurrency } = transactionNoteSchema.shape;
const holdingShape = noteHoldingSchema.shape;
const holding = z.object({ ...holdingShape, holding: optionalNameSchema(MAX_TITLE) }).refine(...ONE_HOLDER);

/** A note without its terms and tranches. Names and limits are those of the document. */
export const noteForm = z.object({
  title: transactionNoteSchema.shape.title,
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

export const noteEditSchema = z.object({ note: noteForm, transactionVersion: versionField });
export const noteEditDescription = describeForm(noteEditSchema);

/** What a transaction has besides its notes. Its company never changes. */
export const transactionEditSchema = z.object({
  title: transactionSchema.shape.title,
  type: choiceSchema(TRANSACTION_TYPES),
  industries: withoutBlanks(transactionSchema.shape.industries),
  managerMaxCommitments: withoutBlanks(z.array(amountSchema).max(400, 'At most 400 amounts')),
  transactionVersion: versionField,
});
export const transactionEditDescription = describeForm(transactionEditSchema);

/** A tranche and its terms. It becomes active on a page of its own. */
export const trancheEditSchema = transactionTrancheSchema
  .pick({ sequence: true, title: true, type: true, description: true, condition: true })
  .extend({ isDiscretional: z.boolean().default(false), terms: trancheTermsForm, transactionVersion: versionField });
export const trancheEditDescription = describeForm(trancheEditSchema);

/** The terms of a note. */
export const noteTermsEditSchema = z.object({ terms: noteTermsForm, transactionVersion: versionField });
export const noteTermsEditDescription = describeForm(noteTermsEditSchema);

/** The move to another tranche. */
export const activateSchema = z.object({
  approve: z.boolean('Confirm that you approve the move into this tranche'),
  transactionVersion: versionField,
});
export const activateDescription = describeForm(activateSchema);

/** What is only confirmed. */
export const confirmSchema = z.object({ transactionVersion: versionField });
export const confirmDescription = describeForm(confirmSchema);
