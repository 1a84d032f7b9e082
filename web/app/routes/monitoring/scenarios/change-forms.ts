import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { optionalTextSchema } from '@tapeline/domain/documents/text.schema.ts';
import { REQUIRED } from '@tapeline/domain/errors/required.ts';
import { valueFromText } from '@tapeline/domain/filters/build.ts';
import type { FieldCatalog } from '@tapeline/domain/filters/catalog.ts';
import { OPERATORS } from '@tapeline/domain/filters/filter.ts';
import {
  type ChangeOf,
  RULE_LISTS,
  type ScenarioChange,
  type ScenarioChangeKind,
  scenarioChangeSchema,
  scenarioCreateSchema,
} from '@tapeline/domain/scenarios/scenario.schema.ts';
import { z } from 'zod';
import { describeForms } from '../../../components/forms/describe-form.ts';

type Shapes = {
  [Kind in ScenarioChangeKind]: Extract<
    (typeof scenarioChangeSchema.options)[number],
    z.ZodType<ChangeOf<Kind>>
  >['shape'];
};
const shapeOf = <Kind extends ScenarioChangeKind>(kind: Kind): Shapes[Kind] =>
  scenarioChangeSchema.options.find(({ shape }) => shape.kind.value === kind)!.shape as Shapes[Kind];

/** The change that a form adds, and the name of a new scenario; a stored one has its name already. */
const named = {
  kind: z.string(),
  isNew: z.string().optional(),
  title: scenarioCreateSchema.shape.title.optional(),
  description: optionalTextSchema(500),
};
const { rule: ratedCase, ratePercent } = shapeOf('rate');
const { rule: limitRule, value } = shapeOf('limit');
const { percent: haircutPercent } = shapeOf('haircut');
const { field: obligor, count } = shapeOf('largestDefault');
const { months, shares } = shapeOf('rollRates');
const { currency, percent: currencyPercent } = shapeOf('currency');
const share = shares.valueType.optional();

/** A form for each kind of change. */
export const CHANGE_FORMS = {
  contract: z.object({ ...named, contractId: idSchema }),
  rate: z.object({ ...named, rule: ratedCase, ratePercent }),
  limit: z.object({ ...named, rule: limitRule, value }),
  /** The list and the position of a rule: `eligibilityRules 0`. */
  ruleOff: z.object({ ...named, rule: z.string(REQUIRED).max(40) }),
  haircut: z.object({
    ...named,
    percent: haircutPercent,
    path: z.string().max(500).optional(),
    operator: z.enum(OPERATORS).optional(),
    match: z.string().max(1000).optional(),
  }),
  largestDefault: z.object({ ...named, field: obligor, count }),
  rollRates: z.object({ ...named, months, from0: share, from1: share, from30: share, from60: share, from90: share }),
  currency: z.object({ ...named, currency, percent: currencyPercent }),
} as const;
export const CHANGE_FORM_DESCRIPTIONS = describeForms(CHANGE_FORMS);

/** The buckets of days past due by the fields of their shares. */
export const SHARE_FIELDS = {
  from0: 'current',
  from1: '1-29',
  from30: '30-59',
  from60: '60-89',
  from90: '90-119',
} as const;

type Entered = { [Kind in ScenarioChangeKind]: z.output<(typeof CHANGE_FORMS)[Kind]> };

/** The change that a form enters. The schema of changes and the operation check it. */
export function enteredChange(
  kind: ScenarioChangeKind,
  form: Entered[ScenarioChangeKind],
  catalog: FieldCatalog,
): unknown {
  switch (kind) {
    case 'ruleOff': {
      const [list, rule] = (form as Entered['ruleOff']).rule.split(' ');
      return { kind, list: RULE_LISTS.find((one) => one === list), rule: Number(rule) };
    }
    case 'haircut': {
      const { percent, path, operator, match } = form as Entered['haircut'];
      if (!path) return { kind, percent };
      const found = catalog.resolve(path);
      const compared = operator ?? 'eq';
      const read = 'field' in found ? valueFromText(found.field, compared, match ?? '', catalog.fields) : match;
      return { kind, percent, filter: { [path]: compared === 'eq' ? read : { [compared]: read } } };
    }
    case 'rollRates': {
      const entered = form as Entered['rollRates'];
      const given = Object.entries(SHARE_FIELDS).flatMap(([name, bucket]) => {
        const percent = entered[name as keyof typeof SHARE_FIELDS];
        return percent === undefined ? [] : [[bucket, percent]];
      });
      return { kind, months: entered.months, shares: Object.fromEntries(given) };
    }
    default: {
      const { isNew, title, description, ...change } = form;
      return change;
    }
  }
}

/** Where a form says what is wrong with the whole change: that it repeats an earlier one. */
const FIRST_FIELDS: Readonly<Record<ScenarioChangeKind, string>> = {
  contract: 'contractId',
  rate: 'rule',
  limit: 'rule',
  ruleOff: 'rule',
  haircut: 'percent',
  largestDefault: 'field',
  rollRates: 'months',
  currency: 'currency',
};

/** The field of the form for a path within a change: `changes.3.filter` is its condition. */
export const fieldOfPath = (path: string, kind: ScenarioChangeKind): string => {
  const [first, index, name] = path.split('.');
  if (first !== 'changes') return path;
  if (index === undefined || name === undefined || name === 'kind') return FIRST_FIELDS[kind];
  return { filter: 'match', shares: 'from0', list: 'rule' }[name] ?? name;
};

export const isKind = (kind: unknown): kind is ScenarioChange['kind'] =>
  typeof kind === 'string' && kind in CHANGE_FORMS;
