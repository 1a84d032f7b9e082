import { z } from 'zod';
import { amountSchema, currencySchema } from '../money/amount.schema.ts';
import { add, type DecimalText } from '../money/decimal.ts';
import { MAX_CONTRACTS_PER_NOTE, transactionContractSchema } from './contract.schema.ts';
import {
  type NoteTerms,
  noteTermsSchema,
  TRANCHE_TYPES,
  type TransactionTerms,
  transactionTermsSchema,
} from './terms.schema.ts';

export const LOAN_TYPES = ['Asset Backed Lending', 'Direct', 'WholeLoan'] as const;
export const EQUITY_TYPE = 'Investment';
export const TRANSACTION_TYPES = [...LOAN_TYPES, EQUITY_TYPE] as const;

const required = z.string('is required').trim().min(1, { message: 'is required' });
const idSchema = z
  .string('is required')
  .regex(/^[0-9a-f]{24}$/i, { message: 'An id has exactly 24 characters, 0-9 and a-f' });

const ATTACHMENT_LIMITS = 'The attachment point is between 0 and 99.9';
const DETACHMENT_LIMITS = 'The detachment point is between 0.1 and 100';

export const notePrioritySchema = z
  .object({
    attachmentPoint: z.number('is required').min(0, ATTACHMENT_LIMITS).max(99.9, ATTACHMENT_LIMITS),
    detachmentPoint: z.number('is required').min(0.1, DETACHMENT_LIMITS).max(100, DETACHMENT_LIMITS),
  })
  .refine((priority) => priority.attachmentPoint < priority.detachmentPoint, {
    path: ['attachmentPoint'],
    message: 'Attachment Point should be less then Detachment Point',
  });

/** A fund (by id) or another holder (by name) of the note, with its share in per cent. */
export const noteHoldingSchema = z
  .object({
    fund: idSchema.nullish(),
    holding: z.string().trim().min(1).nullish(),
    targetPercentage: z.number().min(0).max(100),
    actualPercentage: z.number().min(0).max(100),
  })
  .refine((holding) => Boolean(holding.fund) !== Boolean(holding.holding), {
    path: ['holding'],
    message: 'Name a fund or another holder',
  });

export const transactionTrancheSchema = z.object({
  /** Order of the tranches: a unique number. */
  sequence: z.number().int().min(0),
  sequenceActivated: z.boolean().default(false),
  /** Moving into the tranche needs the manager's approval. */
  isDiscretional: z.boolean().nullish(),
  terms: transactionTermsSchema,
  title: required,
  /** Growth rights: right of first refusal, or of first offer, or another exclusivity in words. */
  type: z.union([z.enum(TRANCHE_TYPES), required], { error: 'is required' }),
  description: z.string().nullish(),
  /** Free text, not enforced. */
  condition: z.string().nullish(),
});

export const transactionNoteSchema = z
  .object({
    id: idSchema.optional(),
    operational: z.boolean().default(true),
    title: required,
    security: z.array(z.string().min(1)).nullish(),
    priority: notePrioritySchema.nullish(),
    contracts: z
      .array(transactionContractSchema)
      .max(MAX_CONTRACTS_PER_NOTE, { message: 'A note has at most 200 contracts' })
      .default([]),
    tranches: z.array(transactionTrancheSchema).default([]),
    terms: noteTermsSchema.nullish(),
    counselsCompany: z.array(idSchema).nullish(),
    counselsManager: z.array(idSchema).nullish(),
    futureInvestmentRights: z.object({ description: z.string(), amount: amountSchema }).nullish(),
    legalAgreements: z.array(z.string().min(1)).nullish(),
    holdings: z.array(noteHoldingSchema).nullish(),
    mainCurrency: currencySchema.nullish(),
    /** Per currency, the sum over the tranches: calculated by `withMaxCommitments`, never taken from a caller. */
    maxCommitments: z.array(amountSchema).default([]),
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
          message: `Another contract is already active from ${contract.cutOffDate}`,
        });
      }
      actives.add(contract.cutOffDate);
    }
  });

const debtSchema = z.object({ kind: z.literal('debt'), loanType: z.enum(LOAN_TYPES) });
const equitySchema = z.object({ kind: z.literal('equity'), equityType: z.literal(EQUITY_TYPE) });

/** The bare name of a type ('Direct', 'Investment') stands for itself. */
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
      .min(1, { message: 'At least one industry is required' }),
    notes: z
      .array(transactionNoteSchema, 'At least one note is required')
      .min(1, { message: 'At least one note is required' }),
    company: idSchema,
    maxCommitments: z.array(amountSchema).default([]),
    managerMaxCommitments: z.array(amountSchema).default([]),
  })
  .superRefine((transaction, context) => {
    const titles = new Set<string>();
    for (const [index, note] of transaction.notes.entries()) {
      if (titles.has(note.title)) {
        context.addIssue({ code: 'custom', path: ['notes', index, 'title'], message: 'must be unique' });
      }
      titles.add(note.title);
      // Only debt matures.
      if (transaction.type.kind !== 'debt') continue;
      const mustMature = (terms: NoteTerms | null | undefined, path: (string | number)[]): void => {
        if (!terms?.timeline || terms.timeline.maturity) return;
        context.addIssue({
          code: 'custom',
          path: ['notes', index, ...path, 'terms', 'timeline', 'maturity'],
          message: 'is required',
        });
      };
      mustMature(note.terms, []);
      for (const [position, tranche] of note.tranches.entries()) mustMature(tranche.terms, ['tranches', position]);
    }
  });

export type TransactionDocument = z.infer<typeof transactionSchema>;
export type TransactionInput = z.input<typeof transactionSchema>;
export type TransactionNote = z.infer<typeof transactionNoteSchema>;
export type TransactionTranche = z.infer<typeof transactionTrancheSchema>;

/** Adds amounts up by currency, in order of first appearance. */
function totalByCurrency(
  amounts: readonly { sum: DecimalText; currency: string }[],
): { sum: DecimalText; currency: string }[] {
  const totals = new Map<string, DecimalText>();
  for (const { sum, currency } of amounts) totals.set(currency, add(totals.get(currency) ?? '0', sum));
  return [...totals].map(([currency, sum]) => ({ sum, currency }));
}

/** The transaction with its notes' and its own `maxCommitments` calculated from the tranches' commitments. */
export function withMaxCommitments<T extends TransactionDocument>(transaction: T): T {
  const notes = transaction.notes.map((note) => ({
    ...note,
    maxCommitments: totalByCurrency(
      note.tranches.flatMap((tranche) => tranche.terms.commitments.map((commitment) => commitment.amount)),
    ),
  }));
  return { ...transaction, notes, maxCommitments: totalByCurrency(notes.flatMap((note) => note.maxCommitments)) };
}

/** The one tranche that is active; undefined where none is. */
export function activeTranche(note: TransactionNote): TransactionTranche | undefined {
  return note.tranches.find((tranche) => tranche.sequenceActivated);
}

/** The terms in force: those of the active tranche, over those of the note. */
export function termsInForce(note: TransactionNote): Partial<TransactionTerms> {
  const stated = (terms: NoteTerms | null | undefined): Partial<TransactionTerms> =>
    Object.fromEntries(
      Object.entries(terms ?? {}).filter(
        ([key, value]) => value != null && !(key === 'fees' && Array.isArray(value) && value.length === 0),
      ),
    );
  return { ...stated(note.terms), ...stated(activeTranche(note)?.terms) };
}

/**
 * What is committed to a note now, in its main currency: by the terms in force, or by all its tranches where no terms are
 * in force. Null where nothing is committed in that currency; undefined where the note has no currency at all.
 */
export function commitmentsInForce(
  note: TransactionNote,
): { currency: string; commitments: { sum: DecimalText; currency: string } | null } | undefined {
  const stated = termsInForce(note).commitments;
  const totals = stated ? totalByCurrency(stated.map(({ amount }) => amount)) : note.maxCommitments;
  const currency = note.mainCurrency ?? totals[0]?.currency;
  if (!currency) return undefined;
  return { currency, commitments: totals.find((total) => total.currency === currency) ?? null };
}
