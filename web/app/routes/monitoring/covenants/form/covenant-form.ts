import type { CovenantTerms } from '@tapeline/domain/covenants/covenant.schema.ts';
import { covenantUpdateSchema, requireTerms, springingSchema } from '@tapeline/domain/covenants/covenant.schema.ts';
import { fieldLabel } from '@tapeline/domain/documents/field-labels.ts';
import { z } from 'zod';
import { optionalGroup } from '../../../../components/forms/blank.ts';
import { describeForm } from '../../../../components/forms/describe-form.ts';
import { versionField } from '../../../../components/forms/version-field.ts';

export const covenantForm = z
  .object({
    ...covenantUpdateSchema.shape,
    springing: optionalGroup(springingSchema, 'bound'),
    /** Of the stored covenant that is changed. */
    version: versionField.optional(),
  })
  .superRefine(requireTerms);
export const covenantFormDescription = describeForm(covenantForm);

const text = (value: string | number | null | undefined): string => (value == null ? '' : String(value));

/** A covenant as its form shows it. */
export const shownCovenantTerms = (terms: CovenantTerms & { version: number }) => ({
  title: terms.title,
  clause: text(terms.clause),
  clauseText: text(terms.clauseText),
  formula: terms.formula,
  unit: terms.unit,
  currency: text(terms.currency),
  bound: terms.bound,
  steps: terms.steps.map(({ from, limit }) => ({ from, limit })),
  frequency: terms.frequency,
  firstTest: terms.firstTest,
  periods: text(terms.periods),
  daysToReport: text(terms.daysToReport),
  warningDistance: text(terms.warningDistance),
  cureDays: text(terms.cureDays),
  consequence: terms.consequence,
  defaultRate: text(terms.defaultRate),
  springing: {
    formula: text(terms.springing?.formula),
    bound: terms.springing?.bound ?? 'atMost',
    limit: text(terms.springing?.limit),
  },
  version: String(terms.version),
});

/** What a new covenant starts with. */
export const NEW_TERMS = {
  unit: 'percent',
  bound: 'atMost',
  steps: [{ from: '', limit: '' }],
  frequency: 'monthly',
  periods: '1',
  daysToReport: '45',
  cureDays: '0',
  consequence: 'inform',
  springing: { bound: 'atMost' },
} as const;

const LABELS: Readonly<Record<string, string>> = {
  title: 'Title',
  clause: 'Clause',
  clauseText: 'Text of the clause',
  formula: 'Figure',
  unit: 'Unit',
  currency: 'Currency',
  bound: 'Bound',
  steps: 'Limit',
  frequency: 'Frequency',
  firstTest: 'First test',
  periods: 'Average over',
  daysToReport: 'Days to report',
  warningDistance: 'Warning distance',
  cureDays: 'Days to cure',
  consequence: 'Consequence',
  defaultRate: 'Default advance rate',
  'springing.formula': 'Other figure',
  'springing.bound': 'Other bound',
  'springing.limit': 'Other limit',
};

/** What the summary of errors calls a field: "Limit 2" for the limit of the second step. */
export function covenantLabel(name: string): string {
  const step = /^steps\[(\d+)\]\.(from|limit)$/.exec(name);
  if (step) return `${step[2] === 'from' ? 'From' : 'Limit'} ${Number(step[1]) + 1}`;
  return LABELS[name] ?? fieldLabel(name);
}
