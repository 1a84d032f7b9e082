import { STEP_FORMS } from '@tapeline/domain/tapes/step-fields.ts';
import type { RawRule } from './draft.ts';
import { inRunningOrder, targetLabel, textOf } from './draft.ts';

/** One change between two versions, in words. */
export interface MappingChange {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly text: string;
}

export interface ComparedMapping {
  readonly rules: readonly RawRule[];
  readonly loanTapeSheetName: string;
  readonly primaryCurrency: string;
}

const quoted = (rule: RawRule): string =>
  textOf(rule.originCol) ? `"${textOf(rule.originCol)}"` : 'a computed column';
const name = (rule: RawRule): string => `${quoted(rule)} to ${targetLabel(rule)}`;

/** Steps on one line: `text, trim, leave out`. */
export const stepsInWords = (rule: RawRule): string =>
  (rule.serializations ?? [])
    .map((step) => (STEP_FORMS[step.type as keyof typeof STEP_FORMS]?.label ?? String(step.type)).toLowerCase())
    .join(', ') || 'no steps';

const listed = (values: readonly unknown[] | undefined, none: string): string =>
  values && values.length > 0 ? values.map(String).join(', ') : none;
/** Serializes a value independent of key order. Missing and undefined values are equivalent. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  ) ?? '';

function differences(before: RawRule, after: RawRule): string[] {
  const words: string[] = [];
  if (textOf(before.originCol) !== textOf(after.originCol))
    words.push(`source ${quoted(after)}, was ${quoted(before)}`);
  if (canonical(before.serializations ?? []) !== canonical(after.serializations ?? [])) {
    const [was, is] = [stepsInWords(before), stepsInWords(after)];
    words.push(was === is ? `step options (${is})` : `steps ${is}, were ${was}`);
  }
  const checks = (rule: RawRule) => listed([...(rule.checks ?? [])].sort(), 'none');
  if (checks(before) !== checks(after)) words.push(`checks ${checks(after)}, were ${checks(before)}`);
  if (canonical(before.validations ?? []) !== canonical(after.validations ?? [])) {
    const kinds = (rule: RawRule) =>
      listed(
        rule.validations?.map(({ kind, value }) => `${kind}${value === undefined ? '' : ` ${value}`}`),
        'none',
      );
    words.push(`validations ${kinds(after)}, were ${kinds(before)}`);
  }
  if ((before.remainOriginCol === true) !== (after.remainOriginCol === true))
    words.push(after.remainOriginCol ? 'keeps the source cell' : 'no longer keeps the source cell');
  return words;
}

/** What a version changed. Rules are matched by the field that they make. */
export function mappingChanges(before: ComparedMapping, after: ComparedMapping): MappingChange[] {
  const changes: MappingChange[] = [];
  const old = inRunningOrder(before.rules);
  const fresh = inRunningOrder(after.rules);
  const oldByTarget = new Map(old.map((rule) => [textOf(rule.targetCol), rule]));
  const freshTargets = new Set(fresh.map((rule) => textOf(rule.targetCol)));
  for (const rule of old) {
    if (!freshTargets.has(textOf(rule.targetCol))) changes.push({ kind: 'removed', text: name(rule) });
  }
  for (const rule of fresh) {
    const was = oldByTarget.get(textOf(rule.targetCol));
    if (!was) changes.push({ kind: 'added', text: `${name(rule)}: ${stepsInWords(rule)}` });
    else {
      const words = differences(was, rule);
      if (words.length > 0) changes.push({ kind: 'changed', text: `${targetLabel(rule)}: ${words.join('; ')}` });
    }
  }
  const kept = (rules: readonly RawRule[], among: (target: string) => boolean) =>
    rules.map((rule) => textOf(rule.targetCol)).filter(among);
  const stayed = (target: string) => oldByTarget.has(target) && freshTargets.has(target);
  if (kept(old, stayed).join('\n') !== kept(fresh, stayed).join('\n'))
    changes.push({ kind: 'changed', text: 'rule order' });
  if (before.loanTapeSheetName !== after.loanTapeSheetName)
    changes.push({ kind: 'changed', text: `sheet ${after.loanTapeSheetName}, was ${before.loanTapeSheetName}` });
  if (before.primaryCurrency !== after.primaryCurrency)
    changes.push({ kind: 'changed', text: `primary currency ${after.primaryCurrency}, was ${before.primaryCurrency}` });
  return changes;
}
