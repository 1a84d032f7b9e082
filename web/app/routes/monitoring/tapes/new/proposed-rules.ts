import { parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import type { RuleSuggestion } from '@tapeline/domain/tapes/suggest/rule-suggestion.ts';
import { otherSheetInWords } from '@tapeline/domain/tapes/suggest/sheet-kind.ts';
import { z } from 'zod';
import type { TapeProposal } from '../../../../commands/tape-proposals.server.ts';
import { rawRuleSchema } from '../../mappings/draft.ts';

/** A column with the rules that read it: its field's rule is the last one. */
const groupSchema = z.object({
  rules: z.array(rawRuleSchema).min(1).max(10),
  confidence: z.number(),
  reason: z.string(),
  isOn: z.boolean(),
});

/** What the form holds of a proposal between its round trips. It is validated again before anything is stored. */
const proposedRulesSchema = z.object({
  mapping: z.object({ id: z.string(), version: z.number(), lacking: z.array(z.string()) }).nullable(),
  groups: z.array(groupSchema).max(1_000),
  headers: z.array(z.string()).max(16_384),
  sheets: z.array(z.string()).max(1_000),
  sheetName: z.string(),
  primaryCurrency: z.string().nullable(),
  /** What the file is, if it is no tape, in words. */
  other: z.string().nullable(),
});
export type ProposedRules = z.infer<typeof proposedRulesSchema>;
export type RuleGroup = ProposedRules['groups'][number];

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
  groups: proposal.mapping?.lacking.length === 0 ? [] : groupsOf(proposal.rules),
  headers: [...proposal.headers],
  sheets: [...proposal.sheets],
  sheetName: proposal.sheetName,
  primaryCurrency: proposal.primaryCurrency,
  other: proposal.other && otherSheetInWords(proposal.other),
});

function groupsOf(suggestions: readonly RuleSuggestion[]): RuleGroup[] {
  const groups: RuleGroup[] = [];
  let parts: RuleSuggestion[] = [];
  for (const each of suggestions) {
    parts.push(each);
    if (each.rule.checks?.includes('Temporary')) continue;
    groups.push({
      rules: parts.map(({ rule: { sequence, ...rule } }) => rawRuleSchema.parse(rule)),
      confidence: each.confidence,
      reason: each.reason,
      isOn: each.isOn,
    });
    parts = [];
  }
  return groups;
}

/**
 * The mapping that the chosen groups make.
 * @throws Refusal badRequest with what is wrong with its rules
 */
export const mappingOfGroups = (proposed: ProposedRules, chosen: ReadonlySet<number>, primaryCurrency: string) =>
  parseMapping({
    rules: proposed.groups.flatMap(({ rules }, index) => (chosen.has(index) ? rules : [])),
    loanTapeSheetName: proposed.sheetName,
    extractedOriginColsFromLoanTape: proposed.headers,
    cutOffDate: null,
    primaryCurrency,
  });
