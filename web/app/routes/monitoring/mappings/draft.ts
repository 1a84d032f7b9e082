import { plainMessage } from '@tapeline/domain/errors/issues.ts';
import { reasonOfIssue } from '@tapeline/domain/errors/reason.ts';
import { headerKey } from '@tapeline/domain/tapes/headers.ts';
import { mappingSchema } from '@tapeline/domain/tapes/mapping.schema.ts';
import type { RuleSuggestion } from '@tapeline/domain/tapes/suggest/rule-suggestion.ts';
import { resolveTarget } from '@tapeline/domain/tapes/target-schema.ts';
import { z } from 'zod';
import { bracketProblemOf } from './conditions.ts';

/** A rule that is being edited: it has the schema's shape but may not be valid yet. */
export const rawRuleSchema = z.looseObject({
  originCol: z.unknown().optional(),
  targetCol: z.unknown().optional(),
  checks: z.array(z.unknown()).optional(),
  serializations: z.array(z.looseObject({ type: z.unknown() })).optional(),
  validations: z.array(z.looseObject({ kind: z.unknown() })).optional(),
  onUnreadable: z.unknown().optional(),
  onDuplicate: z.unknown().optional(),
});
export type RawRule = z.infer<typeof rawRuleSchema>;
export type RawStep = { type: unknown } & Record<string, unknown>;

export const rawRulesSchema = z
  .array(rawRuleSchema, { error: 'Enter a list of rules: [ … ]' })
  .max(1000, 'A mapping takes at most 300 rules');

const suggestionSchema = z.object({ confidence: z.number(), reason: z.string() });

const draftSchema = z.object({
  rules: z
    .array(
      z.object({
        rule: rawRuleSchema,
        /**
         * For a suggested rule: the confidence and the reason. It is accepted, changed or dropped before anything is
         * saved.
         */
        suggestion: suggestionSchema.nullable(),
        accepted: z.boolean(),
      }),
    )
    .max(1000),
  /**
   * Suggestions that are too doubtful to be part of the mapping. A user may add them. The last rule makes the field.
   */
  doubtful: z
    .array(z.object({ rules: z.array(rawRuleSchema).min(1).max(10), suggestion: suggestionSchema }))
    .max(1000)
    .optional(),
  loanTapeSheetName: z.string().max(1000),
  primaryCurrency: z.string().max(100),
  cutOffDate: z.string().max(100),
  headers: z.array(z.string()).max(20_000),
});
/** A mapping that is being edited. It lives in the form that edits it, never on the server. */
export type MappingDraft = z.infer<typeof draftSchema>;
export type DraftRule = MappingDraft['rules'][number];
export type DoubtfulRule = NonNullable<MappingDraft['doubtful']>[number];

export interface DraftProblem {
  readonly path: readonly (string | number)[];
  /** With the name of its rule, if it is about one. */
  readonly message: string;
  /** Without it, to be shown at the rule. */
  readonly here: string;
}

/** The draft in a form field. Null for anything else. */
export function readDraft(text: unknown): MappingDraft | null {
  if (typeof text !== 'string') return null;
  try {
    const draft = draftSchema.safeParse(JSON.parse(text));
    return draft.success ? draft.data : null;
  } catch {
    return null;
  }
}

/** Rules in the order in which they run. From here on, the place in the list gives the order. */
export function inRunningOrder(rules: readonly RawRule[]): RawRule[] {
  return rules
    .map((rule, index) => ({ rule, index, at: typeof rule.sequence === 'number' ? rule.sequence : index }))
    .sort((a, b) => a.at - b.at || a.index - b.index)
    .map(({ rule: { sequence, ...rule } }) => rule);
}

const accepted = (rule: RawRule): DraftRule => ({ rule, suggestion: null, accepted: true });

export function draftOfMapping(mapping: {
  rules: unknown;
  loanTapeSheetName: string;
  primaryCurrency: string;
  cutOffDate?: string | null | undefined;
  extractedOriginColsFromLoanTape: readonly string[];
}): MappingDraft {
  return {
    rules: inRunningOrder(rawRulesSchema.parse(mapping.rules)).map(accepted),
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
  const rawRule = ({ rule: { sequence, ...rule } }: RuleSuggestion): RawRule => rawRuleSchema.parse(rule);
  return {
    rules: suggestions.flatMap((each) =>
      each.isOn
        ? [
            {
              rule: rawRule(each),
              suggestion: { confidence: each.confidence, reason: each.reason },
              accepted: false,
            },
          ]
        : [],
    ),
    doubtful: doubtfulOf(suggestions).map((each) => ({
      rules: each.map(rawRule),
      suggestion: { confidence: each.at(-1)!.confidence, reason: each.at(-1)!.reason },
    })),
    loanTapeSheetName: sheet.sheetName,
    primaryCurrency: sheet.primaryCurrency,
    cutOffDate: '',
    headers: [...sheet.headers],
  };
}

/** The suggestions that are off, each with the rules that make its parts. */
function doubtfulOf(suggestions: readonly RuleSuggestion[]): RuleSuggestion[][] {
  const groups: RuleSuggestion[][] = [];
  let parts: RuleSuggestion[] = [];
  for (const each of suggestions) {
    if (each.isOn) continue;
    parts.push(each);
    if (each.rule.checks?.includes('Temporary')) continue;
    groups.push(parts);
    parts = [];
  }
  return groups;
}

/** The input of the operation. */
export const bodyOfDraft = (draft: MappingDraft) => ({
  rules: draft.rules.map(({ rule }) => rule),
  loanTapeSheetName: draft.loanTapeSheetName,
  extractedOriginColsFromLoanTape: draft.headers,
  cutOffDate: draft.cutOffDate === '' ? null : draft.cutOffDate,
  primaryCurrency: draft.primaryCurrency,
});

/** Every error with the path of its rule and step, in the order of the rules. */
export function problemsOfDraft(draft: MappingDraft): DraftProblem[] {
  const result = mappingSchema.safeParse(bodyOfDraft(draft), { error: wordsOf });
  if (result.success) return [];
  return result.error.issues.map((issue): DraftProblem => {
    const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
    const why = reasonOfIssue(issue);
    if (why.code === 'mappingRule') return { path, message: issue.message, here: why.data.text };
    const [list, rule, , step, option] = path;
    const brackets =
      list === 'rules' && option === 'filter'
        ? bracketProblemOf(
            (draft.rules[Number(rule)]?.rule.serializations?.[Number(step)] as RawStep | undefined)?.filter,
          )
        : null;
    if (brackets) return { path, message: `Rule ${Number(rule) + 1}: ${brackets}`, here: brackets };
    const isOfRule = list === 'rules' && typeof rule === 'number';
    return { path, message: isOfRule ? `Rule ${rule + 1}: ${issue.message}` : issue.message, here: issue.message };
  });
}

/** The message for an error that the schema has no message for: a value is missing or has the wrong type. */
function wordsOf(issue: z.core.$ZodRawIssue): string | undefined {
  const field = String(issue.path?.findLast((part) => typeof part === 'string') ?? '');
  if (issue.input === undefined) return `${field}: enter a value`;
  if (issue.code === 'invalid_type' && NUMBERS.has(issue.expected)) return `${field}: enter a number`;
  const message = plainMessage(issue);
  return message && `${field}: ${message}`;
}

const NUMBERS: ReadonlySet<string> = new Set(['number', 'int']);

export const problemsOfRule = (problems: readonly DraftProblem[], rule: number): DraftProblem[] =>
  problems.filter(({ path }) => path[0] === 'rules' && path[1] === rule);

/** Errors about the mapping as a whole, which do not belong to a single rule. */
export const problemsOfWhole = (problems: readonly DraftProblem[]): DraftProblem[] =>
  problems.filter(({ path }) => path[0] !== 'rules' || typeof path[1] !== 'number');

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The target's label: `Current balance`, or the custom field's name. */
export function targetLabel(rule: RawRule): string {
  const name = textOf(rule.targetCol);
  if (name === '') return 'no target';
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
