import { applyFix } from '@tapeline/domain/tapes/check-fixes.ts';
import type { ValidationKind } from '@tapeline/domain/tapes/rule.schema.ts';
import type { SerializationType } from '@tapeline/domain/tapes/serialization.schema.ts';
import { assetStatusOf } from '@tapeline/domain/tapes/statuses.ts';
import { newStep, STEP_TYPES } from '@tapeline/domain/tapes/step-fields.ts';
import { type DraftRule, inRunningOrder, type MappingDraft, type RawRule, rawRulesSchema, textOf } from './draft.ts';
import { readFixEdit } from './draft-check.ts';
import { readRule } from './rule-form.ts';

/** The editor's state: the draft, and which parts of it are open. */
export interface EditorState {
  readonly draft: MappingDraft;
  /** The open rule, 0-based. Null if no rule is open. */
  readonly open: number | null;
  readonly view: 'rules' | 'json';
  /** The error in the JSON as entered, and that text. */
  readonly json: { readonly text: string; readonly problem: string } | null;
}

export const VALIDATION_KINDS = [
  'minNumber',
  'maxNumber',
  'minDate',
  'maxDate',
  'notContains',
  'mustContains',
  'mustBeTrue',
  'mustBeFalse',
  'minLength',
  'maxLength',
] as const satisfies readonly ValidationKind[];

const move = <T>(list: readonly T[], from: number, to: number): T[] => {
  const moved = [...list];
  const [one] = moved.splice(from, 1);
  if (one === undefined || to < 0 || to > moved.length) return [...list];
  moved.splice(to, 0, one);
  return moved;
};
const without = <T>(list: readonly T[], at: number): T[] => list.filter((_, index) => index !== at);

/**
 * Reads the current values from the form: the settings and the fields of the open rule. A changed suggestion counts as
 * accepted.
 */
export function readEditorForm(state: EditorState, form: FormData): EditorState {
  const setting = (name: string, before: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim() : before;
  };
  const { draft, open } = state;
  const before = open === null ? undefined : draft.rules[open]?.rule;
  let rules = draft.rules;
  if (open !== null && before && form.get('ruleShown') === String(open)) {
    const rule = readRule(form, before);
    const changed = JSON.stringify(normal(rule)) !== JSON.stringify(normal(before));
    rules = rules.map((each, index) => (index === open ? { ...each, rule, accepted: each.accepted || changed } : each));
  }
  return {
    ...state,
    draft: {
      ...draft,
      rules,
      loanTapeSheetName: setting('loanTapeSheetName', draft.loanTapeSheetName),
      primaryCurrency: setting('primaryCurrency', draft.primaryCurrency).toUpperCase(),
      cutOffDate: setting('cutOffDate', draft.cutOffDate),
    },
  };
}

/** Normalizes a rule: a missing value and an empty one are equivalent. */
const normal = ({ originCol, targetCol, checks, serializations, validations, remainOriginCol }: RawRule) => ({
  originCol: textOf(originCol),
  targetCol: textOf(targetCol),
  checks: [...(checks ?? [])].map(String).sort(),
  serializations: (serializations ?? []).map((step) => ({ ...step })),
  validations: validations ?? [],
  remainOriginCol: remainOriginCol === true,
});

/** Applies one edit from an editor button: `up:3`, `add`, `step-add`. An unknown edit changes nothing. */
export function editDraft(state: EditorState, edit: string, form: FormData): EditorState {
  const [name = '', argument] = edit.split(/:(.*)/s);
  const at = argument === undefined ? -1 : Number(argument);
  const { draft, open } = state;
  const { rules } = draft;
  const withRules = (changed: readonly DraftRule[], opened: number | null = open): EditorState => ({
    ...state,
    draft: { ...draft, rules: [...changed] },
    open: opened,
  });
  const inOpen = (change: (rule: RawRule) => RawRule): EditorState =>
    open === null
      ? state
      : withRules(
          rules.map((each, index) => (index === open ? { ...each, rule: change(each.rule), accepted: true } : each)),
        );
  const steps = (change: (list: NonNullable<RawRule['serializations']>) => NonNullable<RawRule['serializations']>) =>
    inOpen((rule) => ({ ...rule, serializations: change(rule.serializations ?? []) }));
  const accept = (test: (rule: DraftRule, index: number) => boolean) =>
    withRules(rules.map((each, index) => (test(each, index) ? { ...each, accepted: true } : each)));

  switch (name) {
    case 'open':
      return { ...state, open: rules[at] ? at : null, view: 'rules', json: null };
    case 'close':
      return { ...state, open: null };
    case 'accept':
      return accept((_, index) => index === at);
    case 'accept-all':
      return accept(() => true);
    case 'accept-sure':
      return accept(({ suggestion }) => (suggestion?.confidence ?? 0) >= SURE);
    case 'fix':
      return withRules(fixed(rules, argument ?? '', form));
    case 'drop':
      return withRules(without(rules, at), open === null || open === at ? null : open > at ? open - 1 : open);
    case 'use': {
      const chosen = draft.doubtful?.[at];
      if (!chosen) return state;
      const added = chosen.rules.map((rule): DraftRule => ({ rule, suggestion: null, accepted: true }));
      const doubtful = without(draft.doubtful ?? [], at);
      return {
        ...state,
        draft: { ...draft, rules: [...rules, ...added], doubtful },
        open: rules.length + added.length - 1,
        view: 'rules',
      };
    }
    case 'up':
    case 'down': {
      const to = name === 'up' ? at - 1 : at + 1;
      if (!rules[at] || !rules[to]) return state;
      return withRules(move(rules, at, to), open === at ? to : open === to ? at : open);
    }
    case 'add':
    case 'add-of': {
      const column = name === 'add-of' ? String(form.get('unmapped') ?? argument ?? '') : (argument ?? '');
      const rule: RawRule = { originCol: column || null, targetCol: '', serializations: [newStep('text') as never] };
      return { ...withRules([...rules, { rule, suggestion: null, accepted: true }], rules.length), view: 'rules' };
    }
    case 'step-add': {
      const type = String(form.get('newStep')) as SerializationType;
      return STEP_TYPES.includes(type) ? steps((list) => [...list, newStep(type) as never]) : state;
    }
    case 'step-drop':
      return steps((list) => without(list, at));
    case 'step-up':
      return steps((list) => move(list, at, at - 1));
    case 'step-down':
      return steps((list) => move(list, at, at + 1));
    case 'validation-add': {
      const kind = String(form.get('newValidation'));
      if (!(VALIDATION_KINDS as readonly string[]).includes(kind)) return state;
      return inOpen((rule) => ({ ...rule, validations: [...(rule.validations ?? []), { kind }] }));
    }
    case 'validation-drop':
      return inOpen((rule) => ({ ...rule, validations: without(rule.validations ?? [], at) }));
    case 'view-json':
      return { ...state, view: 'json', open: null, json: null };
    case 'view-rules':
      return { ...state, view: 'rules', json: null };
    case 'json':
      return readJson(state, String(form.get('json') ?? ''));
    default:
      return state;
  }
}

/** The rules with the correction of a group; unchanged if it no longer suits its rule. */
function fixed(rules: readonly DraftRule[], argument: string, form: FormData): readonly DraftRule[] {
  const edit = readFixEdit(argument);
  if (!edit) return rules;
  const status = assetStatusOf(String(form.get(edit.field ?? '') ?? '')) ?? undefined;
  return rules.map((each, index) => {
    const changed = index === edit.rule ? applyFix(each.rule, edit, status) : null;
    return changed ? { ...each, rule: { ...each.rule, ...(changed as Partial<RawRule>) }, accepted: true } : each;
  });
}

/** Confidence from which a suggestion is considered certain. */
export const SURE = 0.9;

function readJson(state: EditorState, text: string): EditorState {
  const fail = (problem: string): EditorState => ({ ...state, view: 'json', json: { text, problem } });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return fail(`Invalid JSON: ${(error as Error).message}`);
  }
  const rules = rawRulesSchema.safeParse(value);
  if (!rules.success) {
    const issue = rules.error.issues[0];
    const place = issue && issue.path.length > 0 ? `Rule ${Number(issue.path[0]) + 1}: ` : '';
    return fail(`${place}${issue?.message ?? 'This is not a list of rules'}`);
  }
  const ordered = inRunningOrder(rules.data);
  const before = new Map(state.draft.rules.map((each) => [JSON.stringify(each.rule), each]));
  // An unchanged rule keeps its suggestion. A rule written by hand counts as accepted.
  const changed = ordered.map((rule) => before.get(JSON.stringify(rule)) ?? { rule, suggestion: null, accepted: true });
  return { draft: { ...state.draft, rules: changed }, open: null, view: 'rules', json: null };
}

export const jsonOfDraft = (draft: MappingDraft): string =>
  JSON.stringify(
    draft.rules.map(({ rule }) => rule),
    null,
    2,
  );
