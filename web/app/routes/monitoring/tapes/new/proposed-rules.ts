import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import {
  latestRowCountsSchema,
  loanMonthColumnsSchema,
} from '@tapeline/domain/tapes/latest-rows/latest-rows.schema.ts';
import { type Mapping, parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import { otherSheetInWords } from '@tapeline/domain/tapes/suggest/sheet-kind.ts';
import { z } from 'zod';
import type { TapeProposal } from '../../../../commands/tape-proposals.server.ts';
import { rawRuleSchema } from '../../mappings/draft.ts';

/** A suggested rule, mostly of one column. */
const columnSchema = z.object({
  rule: rawRuleSchema,
  confidence: z.number(),
  reason: z.string(),
  isOn: z.boolean(),
});

/** What the form holds of a proposal between its round trips. It is validated again before anything is stored. */
const proposedRulesSchema = z.object({
  mapping: z.object({ id: z.string(), version: z.number(), lacking: z.array(z.string()) }).nullable(),
  columns: z.array(columnSchema).max(1_000),
  headers: z.array(z.string()).max(16_384),
  sheets: z.array(z.string()).max(1_000),
  sheetName: z.string(),
  primaryCurrency: z.string().nullable(),
  /** What the file is, if it is no tape, in words. */
  other: z.string().nullable(),
  /** The columns of loans and months, if the file has a row for each, and what would remain if it was counted. */
  latest: loanMonthColumnsSchema.extend({ counts: latestRowCountsSchema.nullable() }).nullable(),
});
export type ProposedRules = z.infer<typeof proposedRulesSchema>;
export type ProposedColumn = ProposedRules['columns'][number];

/** The rules of a proposal in a form field. Null for anything else. */
export function readProposedRules(text: unknown): ProposedRules | null {
  if (typeof text !== 'string') return null;
  try {
    const read = proposedRulesSchema.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

export const isFitting = ({ mapping }: ProposedRules): boolean => mapping !== null && mapping.lacking.length === 0;

export const proposedRulesOf = (proposal: TapeProposal): ProposedRules => ({
  mapping: proposal.mapping && { ...proposal.mapping, lacking: [...proposal.mapping.lacking] },
  columns:
    proposal.mapping?.lacking.length === 0
      ? []
      : proposal.rules.map(({ rule: { sequence, ...rule }, confidence, reason, isOn }) => ({
          rule: rawRuleSchema.parse(rule),
          confidence,
          reason,
          isOn,
        })),
  headers: [...proposal.headers],
  sheets: [...proposal.sheets],
  sheetName: proposal.sheetName,
  primaryCurrency: proposal.primaryCurrency,
  other: proposal.other && otherSheetInWords(proposal.other),
  latest:
    proposal.other?.kind === 'rowPerMonth'
      ? { idColumn: proposal.other.id, monthColumn: proposal.other.month, counts: proposal.latest }
      : null,
});

/**
 * The mapping that the chosen columns of a form make.
 * @param text `ProposedRules` as JSON
 * @param companyCurrency of amounts that name none, if the file names none
 * @throws Refusal badRequest without a currency, or with what is wrong with its rules
 */
export function suggestedMapping(
  text: string | undefined,
  chosen: ReadonlySet<number>,
  companyCurrency: string | null,
): Mapping {
  const proposed = readProposedRules(text);
  if (!proposed) throw new Refusal('badRequest', 'The form lacks its mapping. Reload the page.');
  const primaryCurrency = proposed.primaryCurrency ?? companyCurrency;
  if (primaryCurrency === null) throw new Refusal('badRequest', 'Choose the currency of the borrower.');
  const body = {
    rules: proposed.columns.flatMap(({ rule }, index) => (chosen.has(index) ? [rule] : [])),
    loanTapeSheetName: proposed.sheetName,
    extractedOriginColsFromLoanTape: proposed.headers,
    cutOffDate: null,
    primaryCurrency,
  };
  try {
    return parseMapping(body);
  } catch (error) {
    // The form has no field for a single rule, so the message says what is wrong.
    const [reason] = isRefusal(error) ? Object.values(error.flags ?? {}) : [];
    throw reason === undefined ? error : new Refusal('badRequest', `The chosen columns make no mapping: ${reason}`);
  }
}
