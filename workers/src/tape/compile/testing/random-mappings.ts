import { planMapping } from '@tapeline/domain/tapes/mapping-plan.ts';
import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import type { SerializationInput } from '@tapeline/domain/tapes/serialization.schema.ts';
import type { ValueKind } from '@tapeline/domain/tapes/value-kinds.ts';
import fc from 'fast-check';
import { mappingOf } from './mapped-rows.ts';
import { stepsArbitrary, validationArbitrary } from './random-steps.ts';

export const HEADERS = ['a', 'b', 'c', 'd'] as const;

/**
 * Targets for each kind, in the order in which they are assigned. Kinds that allow custom fields then get any number of
 * those.
 */
const TARGETS: Readonly<Record<ValueKind, readonly string[]>> = {
  cell: [],
  missing: ['creditScores.grade'],
  text: ['product', 'sector', 'assetType', 'currency'],
  number: ['monthsOnBook', 'daysPastDue'],
  boolean: ['isDelinquent'],
  date: ['dateFinanced', 'maturityDate'],
  percentage: ['currentLtv', 'originalLtv'],
  amount: ['sum', 'sums.arrears'],
  term: ['term', 'remainingTerm'],
  interest: ['interestRate'],
  status: ['assetStatus'],
};
const CUSTOM: readonly ValueKind[] = ['text', 'number', 'boolean', 'date', 'amount'];

interface RawRule {
  originCol: string | null;
  steps: SerializationInput[];
  validations: readonly unknown[];
  mandatory: boolean;
  temporary: boolean;
  custom: boolean;
  remainOriginCol: boolean;
  onUnreadable: RuleInput['onUnreadable'];
  sequence: number | null;
}

const rawRule: fc.Arbitrary<RawRule> = fc.record({
  originCol: fc.option(fc.constantFrom(...HEADERS), { nil: null, freq: 8 }),
  steps: fc
    .oneof(
      { weight: 3, arbitrary: fc.array(stepsArbitrary, { minLength: 1, maxLength: 2 }) },
      { weight: 1, arbitrary: fc.array(stepsArbitrary, { minLength: 1, maxLength: 6 }) },
    )
    .map((groups) => groups.flat()),
  validations: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(validationArbitrary, { maxLength: 4 }) },
  ),
  mandatory: fc.integer({ min: 0, max: 5 }).map((chance) => chance === 5),
  temporary: fc.integer({ min: 0, max: 3 }).map((chance) => chance === 3),
  custom: fc.boolean(),
  remainOriginCol: fc.boolean(),
  onUnreadable: fc.constantFrom(undefined, 'error', 'empty'),
  sequence: fc.option(fc.integer({ min: 0, max: 9 }), { nil: null, freq: 3 }),
});

/**
 * Consistent mappings of random steps over HEADERS. Later rules read the results of earlier ones, including Temporary
 * ones.
 */
export const rulesArbitrary: fc.Arbitrary<RuleInput[]> = fc
  .oneof(
    { weight: 2, arbitrary: fc.array(rawRule, { minLength: 1, maxLength: 2 }) },
    { weight: 1, arbitrary: fc.array(rawRule, { minLength: 2, maxLength: 6 }) },
  )
  .map((raw) => withTargets(raw, withResults(raw.map(asTemporary))));

const NAMES = (index: number): string => `made${index}`;

/** The rule as a Temporary rule with a unique name, so that nothing conflicts with it. */
function asTemporary(raw: RawRule, index: number): RuleInput {
  const steps = JSON.stringify(raw.steps).replace(/@(\d)/g, (_, written) => {
    const column = Number(written);
    // Rules are referenced by name. References to rules that do not exist yet are replaced with headers.
    return column < HEADERS.length || index === 0
      ? (HEADERS[column % HEADERS.length] ?? 'a')
      : NAMES((column - HEADERS.length) % index);
  });
  return {
    originCol: raw.originCol,
    targetCol: NAMES(index),
    checks: ['Temporary'],
    serializations: JSON.parse(steps) as SerializationInput[],
    ...(raw.sequence === null ? {} : { sequence: raw.sequence }),
  };
}

/** The rules without the steps that are invalid at their position. */
function withoutProblems(rules: readonly RuleInput[]): RuleInput[] {
  let tried = [...rules];
  for (;;) {
    const problems = planMapping(mappingOf(tried)).issues;
    const invalid = new Map<number, number>();
    for (const { path } of problems) {
      const [, rule, part, at] = path;
      // Subtract 1 because the asset id's rule comes first.
      if (part !== 'serializations') throw new Error(`The random rules have a problem at ${path.join('.')}`);
      const index = Number(rule) - 1;
      invalid.set(index, Math.min(invalid.get(index) ?? Number.POSITIVE_INFINITY, Number(at)));
    }
    if (invalid.size === 0) return tried;
    tried = tried.map((rule, index) => {
      const kept = rule.serializations.filter((_, at) => at !== invalid.get(index));
      return { ...rule, serializations: kept.length > 0 ? kept : [{ type: 'text' }] };
    });
  }
}

/** The valid rules, none of which ends with an unconverted cell, because only another rule could use that. */
function withResults(rules: readonly RuleInput[]): RuleInput[] {
  const sound = withoutProblems(rules);
  const kinds = kindsOf(sound);
  if (!kinds.includes('cell')) return sound;
  return withResults(
    sound.map((rule, index) =>
      kinds[index] === 'cell' ? { ...rule, serializations: [...rule.serializations, { type: 'text' }] } : rule,
    ),
  );
}

function kindsOf(rules: readonly RuleInput[]): ValueKind[] {
  const plan = planMapping(mappingOf(rules));
  return rules.map((_, index) => plan.rules.find((each) => each.index === index + 1)?.result ?? 'missing');
}

/** Gives every rule a target that can hold its result, and matching checks and validations. */
function withTargets(raw: readonly RawRule[], rules: readonly RuleInput[]): RuleInput[] {
  const taken = new Set<string>();
  const kinds = kindsOf(rules);
  const named = rules.map((rule, index): RuleInput => {
    const { temporary, custom, mandatory, remainOriginCol, onUnreadable } = raw[index]!;
    const held = kinds[index]!;
    const own = custom && CUSTOM.includes(held) ? undefined : TARGETS[held].find((target) => !taken.has(target));
    const target = own ?? (CUSTOM.includes(held) ? `customFields.f${index}` : undefined);
    const isTemporary = temporary || target === undefined;
    if (!isTemporary) taken.add(target);
    return {
      ...rule,
      targetCol: isTemporary ? NAMES(index) : target,
      checks: [...(mandatory ? (['Mandatory'] as const) : []), ...(isTemporary ? (['Temporary'] as const) : [])],
      remainOriginCol: remainOriginCol && rule.originCol !== null,
      ...(onUnreadable ? { onUnreadable } : {}),
    };
  });
  const renamed = JSON.stringify(named).replace(/made(\d)/g, (_, place) => named[Number(place)]?.targetCol ?? '');
  const whole = JSON.parse(renamed) as RuleInput[];
  const judged = whole.map((rule, index) => ({
    ...rule,
    validations: raw[index]!.validations as NonNullable<RuleInput['validations']>,
  }));
  const problems = planMapping(mappingOf(judged)).issues;
  return judged.map((rule, index) => {
    const broken = problems.filter(({ path }) => path[1] === index + 1 && path[2] === 'validations');
    const dropped = new Set(broken.map(({ path }) => path[3]));
    return { ...rule, validations: rule.validations.filter((_, at) => !dropped.has(at)) };
  });
}
