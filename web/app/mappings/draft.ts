import { headerKey } from '@tapeline/domain/tapes/headers.ts';
import { mappingSchema } from '@tapeline/domain/tapes/mapping.schema.ts';
import type { RuleSuggestion } from '@tapeline/domain/tapes/suggest/suggest-mapping.ts';
import { resolveTarget } from '@tapeline/domain/tapes/target-schema.ts';
import { z } from 'zod';

/** A rule as it is being written: of the schema's form, but perhaps not yet of its sense. */
const rawRuleSchema = z.looseObject({
  originCol: z.unknown().optional(),
  targetCol: z.unknown().optional(),
  checks: z.array(z.unknown()).optional(),
  serializations: z.array(z.looseObject({ type: z.unknown() })).optional(),
  validations: z.array(z.looseObject({ kind: z.unknown() })).optional(),
});
export type RawRule = z.infer<typeof rawRuleSchema>;
export type RawStep = { type: unknown } & Record<string, unknown>;

export const rawRulesSchema = z
  .array(rawRuleSchema, { error: 'Write a list of rules: [ … ]' })
  .max(1000, 'A mapping takes at most 300 rules');

const draftSchema = z.object({
  rules: z
    .array(
      z.object({
        rule: rawRuleSchema,
        /** Where the rule was proposed: how sure and why. Accepted, changed or dropped before anything is saved. */
        suggestion: z.object({ confidence: z.number(), reason: z.string() }).nullable(),
        accepted: z.boolean(),
      }),
    )
    .max(1000),
  loanTapeSheetName: z.string().max(1000),
  primaryCurrency: z.string().max(100),
  cutOffDate: z.string().max(100),
  headers: z.array(z.string()).max(20_000),
});
/** A mapping under the pen. It lives in the form that edits it, never on the server. */
export type MappingDraft = z.infer<typeof draftSchema>;
export type DraftRule = MappingDraft['rules'][number];

export interface DraftFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The draft a form carries; null for anything else. */
export function readDraft(text: unknown): MappingDraft | null {
  if (typeof text !== 'string') return null;
  try {
    const draft = draftSchema.safeParse(JSON.parse(text));
    return draft.success ? draft.data : null;
  } catch {
    return null;
  }
}

/** Rules in the order they run; the place in the list says it from here on. */
export function inRunningOrder(rules: readonly RawRule[]): RawRule[] {
  return rules
    .map((rule, index) => ({ rule, index, at: typeof rule.sequence === 'number' ? rule.sequence : index }))
    .sort((a, b) => a.at - b.at || a.index - b.index)
    .map(({ rule: { sequence, ...rule } }) => rule);
}

const settled = (rule: RawRule): DraftRule => ({ rule, suggestion: null, accepted: true });

export function draftOfMapping(mapping: {
  rules: unknown;
  loanTapeSheetName: string;
  primaryCurrency: string;
  cutOffDate?: string | null | undefined;
  extractedOriginColsFromLoanTape: readonly string[];
}): MappingDraft {
  return {
    rules: inRunningOrder(rawRulesSchema.parse(mapping.rules)).map(settled),
    loanTapeSheetName: mapping.loanTapeSheetName,
    primaryCurrency: mapping.primaryCurrency,
    cutOffDate: mapping.cutOffDate ?? '',
    headers: [...mapping.extractedOriginColsFromLoanTape],
  };
}

export function draftOfSuggestions(
  suggestions: readonly RuleSuggestion[],
  sheet: { sheetName: string; headers: readonly string[]; primaryCurrency: string },
): MappingDraft {
  return {
    rules: suggestions.map(({ rule: { sequence, ...rule }, confidence, reason }) => ({
      rule: rawRuleSchema.parse(rule),
      suggestion: { confidence, reason },
      accepted: false,
    })),
    loanTapeSheetName: sheet.sheetName,
    primaryCurrency: sheet.primaryCurrency,
    cutOffDate: '',
    headers: [...sheet.headers],
  };
}

/** What the operation takes. */
export const bodyOfDraft = (draft: MappingDraft) => ({
  rules: draft.rules.map(({ rule }) => rule),
  loanTapeSheetName: draft.loanTapeSheetName,
  extractedOriginColsFromLoanTape: draft.headers,
  cutOffDate: draft.cutOffDate === '' ? null : draft.cutOffDate,
  primaryCurrency: draft.primaryCurrency,
});

/** Every fault with the path of its rule and step, in the order of the rules. */
export function faultsOfDraft(draft: MappingDraft): DraftFault[] {
  const result = mappingSchema.safeParse(bodyOfDraft(draft));
  if (result.success) return [];
  return result.error.issues.map((issue) => ({
    path: issue.path.map((part) => (typeof part === 'number' ? part : String(part))),
    message: issue.message.startsWith('Invalid input') ? wordsOf(issue) : issue.message,
  }));
}

/** A fault that the schema has no words for: something is left out, or is of another kind. */
function wordsOf(issue: { path: readonly PropertyKey[]; message: string }): string {
  const field = String(issue.path.findLast((part) => typeof part === 'string') ?? '');
  if (/received undefined$/.test(issue.message)) return `${field}: fill this in`;
  if (/expected (number|int)/.test(issue.message)) return `${field}: write a number`;
  return `${field}: ${issue.message.replace(/^Invalid input: /, '')}`;
}

export const faultsOfRule = (faults: readonly DraftFault[], rule: number): DraftFault[] =>
  faults.filter(({ path }) => path[0] === 'rules' && path[1] === rule);

/** Faults about the mapping as a whole: nothing of them stands at a rule. */
export const faultsOfWhole = (faults: readonly DraftFault[]): DraftFault[] =>
  faults.filter(({ path }) => path[0] !== 'rules' || typeof path[1] !== 'number');

/** A fault's reason without the words that say where it stands, for showing it there. */
export const faultHere = ({ message }: DraftFault): string =>
  message.replace(/^Rule \d+ \(.*? to \S+?\)(?:, step \d+ \(\w+\))?: /, '');

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What the target is called: `Outstanding sum`, or the custom field's name. */
export function targetLabel(rule: RawRule): string {
  const name = textOf(rule.targetCol);
  if (name === '') return 'no target yet';
  const resolved = resolveTarget(name);
  if (resolved.kind === 'field') return resolved.field.label;
  return resolved.kind === 'custom' ? resolved.path.slice('customFields.'.length) : name;
}

/** Columns of the tape that no rule reads. */
export function unmappedHeaders(draft: MappingDraft, headers: readonly string[]): string[] {
  const used = new Set(draft.rules.map(({ rule }) => headerKey(textOf(rule.originCol))));
  return headers.filter((header) => header.trim() !== '' && !used.has(headerKey(header)));
}

export const suggestionsLeft = (draft: MappingDraft): number =>
  draft.rules.filter(({ accepted, suggestion }) => suggestion !== null && !accepted).length;
