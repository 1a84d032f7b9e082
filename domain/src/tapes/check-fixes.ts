import type { CheckCode } from './check-code.ts';
import { type MappingRule, mappingRuleSchema, type RuleInput } from './rule.schema.ts';
import type { SerializationInput } from './serialization.schema.ts';
import { addStatusWords, readStatusSteps } from './status-words.ts';
import { ASSET_STATUSES, type AssetStatus } from './statuses.ts';
import { resolveTarget } from './target-schema.ts';

/** Changes of a rule that correct all rows of a group at once. */
export const CHECK_FIX_KINDS = [
  /** The value becomes missing, before any other step. */
  'omit',
  /** A person chooses the status that the value means. */
  'status',
  /** All cells that the rule cannot read leave its field empty. */
  'leaveEmpty',
] as const;

export interface CheckFix {
  readonly kind: (typeof CHECK_FIX_KINDS)[number];
  /** The value of the cells; null for all values. */
  readonly value: string | null;
}

const MAX_STEPS = 50;
const MAX_OMITTED = 500;

type FixedRule = Partial<Pick<RuleInput, 'serializations' | 'onUnreadable'>>;

/**
 * The rule's fields as the fix changes them.
 * @param status what the value means, for a fix of this kind
 * @returns null if the fix does not suit the rule
 */
export function fixedRule(rule: MappingRule, { kind, value }: CheckFix, status?: AssetStatus): FixedRule | null {
  const { serializations: steps } = rule;
  if (kind === 'leaveEmpty') return rule.onUnreadable === 'empty' ? null : { onUnreadable: 'empty' };
  if (value === null || rule.originCol === null) return null;
  if (kind === 'status') {
    const read = targetsStatus(rule) ? readStatusSteps(steps) : null;
    const changed = read && status && addStatusWords(read, [{ word: value, status }]);
    return changed ? { serializations: changed } : null;
  }
  const [first, ...others] = steps;
  const changed: SerializationInput[] =
    first?.type === 'omit'
      ? [{ ...first, values: [...first.values, value] }, ...others]
      : [{ type: 'omit', values: [value] }, ...steps];
  const isFull = changed.length > MAX_STEPS || (first?.type === 'omit' && first.values.length >= MAX_OMITTED);
  return isFull ? null : { serializations: changed };
}

const targetsStatus = ({ targetCol, checks }: MappingRule): boolean => {
  const target = resolveTarget(targetCol);
  return !checks.includes('Temporary') && target.kind === 'field' && target.path === 'assetStatus';
};

/** A field that is Mandatory stays an error if its value is left out or cannot be read. */
const mayBeMissing = ({ checks }: MappingRule): boolean => !checks.includes('Mandatory');

/** The codes of reasons that a cell's value is the cause of, so that another value corrects them. */
const CAUSED_BY_VALUE: ReadonlySet<CheckCode> = new Set<CheckCode>(['notConverted', 'validation', 'unread']);

/**
 * The fixes of a group.
 * @param group.value the whole value of the rule's own cell, if it is the cause in all rows of the group
 */
export function fixesOf(rule: MappingRule, { code, value }: { code: CheckCode; value: string | null }): CheckFix[] {
  const isOffered = ({ kind, value: given }: CheckFix): boolean => {
    if (kind === 'leaveEmpty') return code === 'notConverted' && mayBeMissing(rule);
    if (given === null || !CAUSED_BY_VALUE.has(code)) return false;
    return kind === 'status' ? code !== 'validation' : mayBeMissing(rule);
  };
  const fixes: CheckFix[] = [
    { kind: 'omit', value },
    { kind: 'status', value },
    { kind: 'leaveEmpty', value: null },
  ];
  return fixes.filter((fix) => isOffered(fix) && fixedRule(rule, fix, ASSET_STATUSES[0]) !== null);
}

/** The rule of a draft with the fix; null if the rule is not complete, or the fix does not suit it. */
export function applyFix(rule: unknown, fix: CheckFix, status?: AssetStatus): FixedRule | null {
  const complete = mappingRuleSchema.safeParse(rule);
  return complete.success ? fixedRule(complete.data, fix, status) : null;
}
