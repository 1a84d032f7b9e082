import { z } from 'zod';
import { formatCalendarDate } from '../dates/calendar-date.ts';
import { idSchema } from '../documents/id.schema.ts';
import { NUMBER_KINDS, percentageSchema, zeroOrMoreSchema } from '../documents/number.schema.ts';
import { MAX_TEXT, MAX_TITLE, nameSchema, optionalTextSchema, textSchema } from '../documents/text.schema.ts';
import { REQUIRED } from '../errors/required.ts';
import type { InputRule } from '../errors/rule.ts';
import { amountOf, amountSchema, currencySchema, notNegativeSchema } from '../money/amount.schema.ts';
import { totalByCurrency } from '../money/totals.ts';
import { MAX_CONTRACTS_PER_NOTE, transactionContractSchema } from './contract.schema.ts';
import {
  DEBT_ONLY_DATES,
  type NoteTerms,
  noteTermsSchema,
  TRANCHE_TYPES,
  type TransactionTerms,
  transactionTermsSchema,
} from './terms.schema.ts';

export const LOAN_TYPES = ['Asset Backed Lending', 'Direct', 'WholeLoan'] as const;
export const EQUITY_TYPE = 'Investment';
export const TRANSACTION_TYPES = [...LOAN_TYPES, EQUITY_TYPE] as const;

export const MAX_NOTES = 100;
export const MAX_INDUSTRIES = 100;
/** Maximum tranches, and maximum holdings, of one note. */
const MAX_OF_NOTE = 200;

const required = nameSchema(1, MAX_TITLE);
const longText = textSchema(1, MAX_TEXT);
const amountsSchema = z.array(amountSchema).max(400).default([]);

const ATTACHMENT_LIMITS = 'The attachment point is between 0 and 99.9';
const DETACHMENT_LIMITS = 'The detachment point is between 0.1 and 100';

export const notePrioritySchema = z
  .object({
    attachmentPoint: z
      .number(REQUIRED)
      .min(0, ATTACHMENT_LIMITS)
      .max(99.9, ATTACHMENT_LIMITS)
      .register(NUMBER_KINDS, { kind: 'percent' }),
    detachmentPoint: z
      .number(REQUIRED)
      .min(0.1, DETACHMENT_LIMITS)
      .max(100, DETACHMENT_LIMITS)
      .register(NUMBER_KINDS, { kind: 'percent' }),
  })
  .refine((priority) => priority.attachmentPoint < priority.detachmentPoint, {
    path: ['attachmentPoint'],
    message: 'Attachment Point should be less then Detachment Point',
  });

export const ONE_HOLDER: InputRule<{ fund?: string | null | undefined; holding?: string | null | undefined }> = [
  ({ fund, holding }) => Boolean(fund) !== Boolean(holding),
  { path: ['holding'], message: 'Choose a fund or another holder' },
];

/** A fund (by id) or another holder (by name) of the note, with its share in per cent. */
export const noteHoldingSchema = z
  .object({
    fund: idSchema.nullish(),
    holding: required.nullish(),
    targetPercentage: percentageSchema,
    actualPercentage: percentageSchema,
  })
  .refine(...ONE_HOLDER);

/** Who approved the move into a discretionary tranche, and when. */
export const trancheApprovalSchema = z.object({
  user: z.object({ id: idSchema, firstName: z.string().max(MAX_TITLE), lastName: z.string().max(MAX_TITLE) }),
  approvedAt: z.iso.datetime().max(40),
  /** The condition as it read when the move was approved. */
  condition: optionalTextSchema(MAX_TEXT),
});
export type TrancheApproval = z.infer<typeof trancheApprovalSchema>;

export const transactionTrancheSchema = z.object({
  /** Order of the tranches: a unique number. */
  sequence: zeroOrMoreSchema.int('must be a whole number'),
  sequenceActivated: z.boolean().default(false),
  /** Moving to the tranche requires the manager's approval. */
  isDiscretional: z.boolean().nullish(),
  /** Recorded by the server; a caller's value is ignored. */
  approval: trancheApprovalSchema.nullish().meta({
    description: 'Who approved the move into this discretionary tranche. Recorded by the server, ignored in a body',
  }),
  /** Approves the move into a discretionary tranche together with `sequenceActivated`. Never stored. */
  approve: z.boolean().optional().meta({
    description:
      'Approves the move into this discretionary tranche. Only users of the manager with transactions/write can approve',
  }),
  terms: transactionTermsSchema,
  title: required,
  /** Growth rights: right of first refusal, right of first offer, or another exclusivity as text. */
  type: z.union([z.enum(TRANCHE_TYPES), required], { error: REQUIRED }),
  description: optionalTextSchema(MAX_TEXT),
  /** Free text, not enforced. */
  condition: optionalTextSchema(MAX_TEXT),
});

export const transactionNoteSchema = z
  .object({
    id: idSchema.optional(),
    operational: z.boolean().default(true),
    title: required,
    security: z.array(longText).max(MAX_OF_NOTE).nullish(),
    priority: notePrioritySchema.nullish(),
    contracts: z
      .array(transactionContractSchema)
      .max(MAX_CONTRACTS_PER_NOTE, { message: 'A note has at most 200 contracts' })
      .default([]),
    tranches: z
      .array(transactionTrancheSchema)
      .max(MAX_OF_NOTE, { message: `A note has at most ${MAX_OF_NOTE} tranches` })
      .default([]),
    terms: noteTermsSchema.nullish(),
    counselsCompany: z.array(idSchema).max(MAX_OF_NOTE).nullish(),
    counselsManager: z.array(idSchema).max(MAX_OF_NOTE).nullish(),
    futureInvestmentRights: z
      .object({ description: textSchema(0, MAX_TEXT), amount: amountOf(notNegativeSchema) })
      .nullish(),
    legalAgreements: z.array(longText).max(MAX_OF_NOTE).nullish(),
    holdings: z
      .array(noteHoldingSchema)
      .max(MAX_OF_NOTE, { message: `A note has at most ${MAX_OF_NOTE} holdings` })
      .nullish(),
    mainCurrency: currencySchema.nullish(),
    /** By currency, the sum over the tranches: calculated by `withMaxCommitments`, never accepted from a caller. */
    maxCommitments: amountsSchema,
  })
  .superRefine((note, context) => {
    const sequences = new Set<number>();
    for (const [index, tranche] of note.tranches.entries()) {
      if (sequences.has(tranche.sequence)) {
        context.addIssue({ code: 'custom', path: ['tranches', index, 'sequence'], message: 'must be unique' });
      }
      sequences.add(tranche.sequence);
    }
    if (note.tranches.filter((tranche) => tranche.sequenceActivated).length > 1) {
      context.addIssue({ code: 'custom', path: ['tranches'], message: 'Only one tranche may be active at a time' });
    }
    const actives = new Set<string>();
    for (const [index, contract] of note.contracts.entries()) {
      if (contract.status !== 'Active') continue;
      if (actives.has(contract.cutOffDate)) {
        context.addIssue({
          code: 'custom',
          path: ['contracts', index, 'cutOffDate'],
          message: `Another contract is already active from ${formatCalendarDate(contract.cutOffDate)}`,
        });
      }
      actives.add(contract.cutOffDate);
    }
  });

const debtSchema = z.object({ kind: z.literal('debt'), loanType: z.enum(LOAN_TYPES) });
const equitySchema = z.object({ kind: z.literal('equity'), equityType: z.literal(EQUITY_TYPE) });

/** @param note what a form or a call enters for each note */
export const notesOf = <Note extends z.ZodType>(note: Note) =>
  z.array(note, 'At least one note is required').min(1, { message: 'At least one note is required' });

/** No two notes of a transaction have the same title. @param path of the list */
export function requireDistinctTitles(
  notes: readonly { title?: string | undefined }[],
  context: z.core.$RefinementCtx,
  path: readonly string[] = [],
): void {
  const titles = new Set<string>();
  for (const [index, { title }] of notes.entries()) {
    if (title === undefined) continue;
    if (titles.has(title)) {
      context.addIssue({ code: 'custom', path: [...path, index, 'title'], message: 'must be unique' });
    }
    titles.add(title);
  }
}

/** The bare name of a type ('Direct', 'Investment') is accepted as well. */
function nameKind(type: unknown): unknown {
  if (type === EQUITY_TYPE) return { kind: 'equity', equityType: EQUITY_TYPE };
  return typeof type === 'string' ? { kind: 'debt', loanType: type } : type;
}

export const transactionSchema = z
  .object({
    title: required,
    /** Equity (Investment), or debt with a loan type. */
    type: z.preprocess(nameKind, z.discriminatedUnion('kind', [debtSchema, equitySchema])),
    industries: z
      .array(required, 'At least one industry is required')
      .min(1, { message: 'At least one industry is required' })
      .max(MAX_INDUSTRIES, { message: `At most ${MAX_INDUSTRIES} industries` }),
    notes: notesOf(transactionNoteSchema).max(MAX_NOTES, {
      message: `A facility has at most ${MAX_NOTES} notes`,
    }),
    company: idSchema,
    maxCommitments: amountsSchema,
    managerMaxCommitments: amountsSchema,
  })
  .superRefine((transaction, context) => {
    requireDistinctTitles(transaction.notes, context, ['notes']);
    const ids = new Set<string>();
    for (const [index, note] of transaction.notes.entries()) {
      if (note.id !== undefined && ids.has(note.id)) {
        context.addIssue({ code: 'custom', path: ['notes', index, 'id'], message: 'is also the id of another note' });
      }
      if (note.id !== undefined) ids.add(note.id);
      // Debt matures; an investment has the dates of its signing alone.
      const checkDates = (terms: NoteTerms | null | undefined, path: (string | number)[]): void => {
        const { timeline } = terms ?? {};
        if (!timeline) return;
        const refuse = (date: string, message: string) =>
          context.addIssue({
            code: 'custom',
            path: ['notes', index, ...path, 'terms', 'timeline', date],
            message,
          });
        if (transaction.type.kind === 'debt') {
          if (!timeline.maturity) refuse('maturity', REQUIRED);
          return;
        }
        for (const date of DEBT_ONLY_DATES) if (timeline[date]) refuse(date, 'An investment does not have this date');
      };
      checkDates(note.terms, []);
      for (const [position, tranche] of note.tranches.entries()) checkDates(tranche.terms, ['tranches', position]);
    }
  });

export type TransactionDocument = z.infer<typeof transactionSchema>;
export type TransactionInput = z.input<typeof transactionSchema>;
export type TransactionNote = z.infer<typeof transactionNoteSchema>;
export type TransactionTranche = z.infer<typeof transactionTrancheSchema>;
/** A note without its contracts, which are stored by themselves. */
export type NoteWithoutContracts = Omit<TransactionNote, 'contracts'>;
/** The part of a note that its commitments in force follow from. */
export interface NoteCommitments extends Pick<NoteWithoutContracts, 'mainCurrency' | 'maxCommitments'> {
  terms?: Pick<NoteTerms, 'commitments'> | null | undefined;
  tranches: {
    sequence: number;
    sequenceActivated: boolean;
    terms: Pick<TransactionTerms, 'commitments'>;
  }[];
}

/** The commitments of all tranches of a note, by currency. */
export const maxCommitmentsOf = ({
  tranches,
}: Pick<NoteWithoutContracts, 'tranches'>): NoteCommitments['maxCommitments'] =>
  totalByCurrency(tranches.flatMap(({ terms }) => terms.commitments.map(({ amount }) => amount)));

/** The transaction with its notes' and its own `maxCommitments` calculated from the tranches' commitments. */
export function withMaxCommitments<T extends TransactionDocument>(transaction: T): T {
  const notes = transaction.notes.map((note) => ({ ...note, maxCommitments: maxCommitmentsOf(note) }));
  return { ...transaction, notes, maxCommitments: totalByCurrency(notes.flatMap((note) => note.maxCommitments)) };
}
