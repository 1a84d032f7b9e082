import type { Labels } from '../documents/labels.ts';
import {
  DATE_FORMAT_LABELS,
  DATE_ORDER_LABELS,
  DECIMAL_SIGN_LABELS,
  DEFAULT_FIRST_YEAR,
  DISTANCE_UNIT_LABELS,
  NEGATIVE_LABELS,
  NUMBER_UNIT_LABELS,
  ON_MISSING_LABELS,
  PERCENTAGE_SCALE_LABELS,
  type SerializationType,
  TIME_UNIT_LABELS,
  WEIGHT_UNIT_LABELS,
} from './serialization.schema.ts';
import { INTEREST_KIND_LABELS } from './statuses.ts';

/** The input type of a step's option. */
export type StepFieldKind =
  | 'select'
  | 'number'
  | 'text'
  | 'currency'
  | 'column'
  | 'operand'
  | 'lines'
  | 'pair'
  | 'range'
  | 'cases'
  | 'parts'
  | 'filter'
  | 'formula';

export interface StepField {
  /** The option's name in the step. */
  readonly name: string;
  readonly label: string;
  readonly kind: StepFieldKind;
  readonly optional?: boolean;
  readonly hint?: string;
  /** The labels of the values to choose from. */
  readonly choices?: Labels<string>;
  /** What leaving a choice open means. */
  readonly unchosen?: string;
}

export interface StepFields {
  readonly label: string;
  readonly group: 'Conversions' | 'Arithmetic' | 'Text' | 'Decisions';
  /** What it does to the value, in a few words. */
  readonly does: string;
  readonly fields: readonly StepField[];
}

const FORMULA_HINT =
  'For example: balance / [Appraised value] * 100, or cutOff - [Last paid] in days. Write columns and targets of earlier rules by name, in [brackets] if it has spaces. Use + - * / ( ), min, max, round(a, 2) and abs. value is the result of the step before.';

const select = (name: string, label: string, choices: Labels<string>): StepField => ({
  name,
  label,
  kind: 'select',
  choices,
});
const unit = select('unit', 'Unit', NUMBER_UNIT_LABELS);
const scale = select('scale', 'Scale', PERCENTAGE_SCALE_LABELS);
const figures: readonly StepField[] = [
  {
    ...select('decimal', 'Decimal sign of texts', DECIMAL_SIGN_LABELS),
    optional: true,
    unchosen: 'A point, commas between thousands',
  },
  { ...select('negative', 'Negative texts', NEGATIVE_LABELS), optional: true, unchosen: 'With the minus in front' },
];
const conversion = (label: string, does: string, fields: readonly StepField[] = []): StepFields => ({
  label,
  group: 'Conversions',
  does,
  fields,
});
const texts = (label: string, does: string, fields: readonly StepField[] = []): StepFields => ({
  label,
  group: 'Text',
  does,
  fields,
});
const withNumber = (label: string, does: string): StepFields => ({
  label,
  group: 'Arithmetic',
  does,
  fields: [
    { name: 'value', label: 'Number', kind: 'number', optional: true },
    { name: 'column', label: 'Or column', kind: 'column', optional: true },
  ],
});
const alone = (label: string, does: string): StepFields => ({ label, group: 'Arithmetic', does, fields: [] });

/** The form for each kind of step. A test compares it with the schema, option by option. */
export const STEP_FORMS: Readonly<Record<SerializationType, StepFields>> = {
  text: conversion('Text', 'converts to text'),
  number: conversion('Number', 'converts to a number; % and spaces are removed', [unit, ...figures]),
  boolean: conversion('Yes or no', '1, y, yes, true and positive are true'),
  date: conversion('Date', 'converts to a date', [
    select('format', 'Format', DATE_FORMAT_LABELS),
    { ...select('order', 'Texts write', DATE_ORDER_LABELS), optional: true, unchosen: 'As the format' },
    {
      name: 'firstYear',
      label: 'Two-digit years from',
      kind: 'number',
      optional: true,
      hint: `default: ${DEFAULT_FIRST_YEAR}, so that 70 is 1970 and 69 is 2069`,
    },
  ]),
  percentage: conversion('Percentage', 'converts a percentage to percentage points', [scale, ...figures]),
  SerializedPercentage: conversion('Percentage', 'converts a percentage to percentage points', [scale, ...figures]),
  SerializedInterest: conversion('Interest rate', 'converts a rate to percentage points; negative rates are errors', [
    scale,
    select('kind', 'Kind', INTEREST_KIND_LABELS),
    ...figures,
  ]),
  SerializedSum: conversion('Amount of money', "rounds to the currency's minor unit", [
    { name: 'currency', label: 'Currency', kind: 'currency', optional: true, hint: 'default: the mapping’s currency' },
    { name: 'currencyColumn', label: 'Or currency column', kind: 'column', optional: true },
    unit,
    ...figures,
  ]),
  SerializedTerm: conversion('Term', 'converts a length of time', [
    select('unit', 'Unit', TIME_UNIT_LABELS),
    ...figures,
  ]),
  distance: conversion('Distance', 'stored in kilometers', [select('unit', 'Unit', DISTANCE_UNIT_LABELS), ...figures]),
  weight: conversion('Weight', 'stored in meters', [select('unit', 'Unit', WEIGHT_UNIT_LABELS), ...figures]),
  assetStatus: conversion('Asset status', 'converts to an asset status'),

  add: withNumber('Add', 'adds to the value'),
  subtract: withNumber('Subtract', 'subtracts from the value'),
  multiply: withNumber('Multiply', 'multiplies the value'),
  divide: withNumber('Divide', 'divides the value'),
  power: withNumber('Power', 'raises the value to a power'),
  min: withNumber('Minimum', 'the smaller of the value and another'),
  max: withNumber('Maximum', 'the larger of the value and another'),
  absolute: alone('Absolute', 'removes the sign'),
  negate: alone('Negate', 'reverses the sign'),
  calculate: {
    label: 'Calculate',
    group: 'Arithmetic',
    does: 'calculates from several columns',
    fields: [
      {
        name: 'formula',
        label: 'Formula',
        kind: 'formula',
        hint: FORMULA_HINT,
      },
    ],
  },
  round: {
    label: 'Round',
    group: 'Arithmetic',
    does: 'rounds half away from zero',
    fields: [{ name: 'digits', label: 'Decimal places', kind: 'number', optional: true }],
  },

  trim: texts('Trim', 'removes leading and trailing spaces'),
  upper: texts('Upper case', 'converts to upper case'),
  lower: texts('Lower case', 'converts to lower case'),
  replaceStrings: texts('Replace', 'replaces one text with another', [
    { name: 'value', label: 'Find and replace', kind: 'pair' },
  ]),
  slice: texts('Slice', 'keeps a part by position', [
    { name: 'value', label: 'From and to', kind: 'range', hint: 'counted from 0; negative from the end' },
  ]),
  concat: texts('Append', 'appends text and columns', [
    { name: 'parts', label: 'Parts', kind: 'parts', hint: 'one per line; {Column} for a column' },
    { name: 'separator', label: 'Separator', kind: 'text', optional: true },
    { ...select('onMissing', 'If a part is missing', ON_MISSING_LABELS), optional: true, unchosen: 'Join the others' },
  ]),
  split: texts('Split', 'keeps one piece', [
    { name: 'by', label: 'Split by', kind: 'text' },
    { name: 'index', label: 'Keep piece', kind: 'number', hint: 'counted from 0; negative from the end' },
  ]),
  padStart: texts('Pad', 'pads on the left', [
    { name: 'length', label: 'Length', kind: 'number' },
    { name: 'fill', label: 'Fill with', kind: 'text', optional: true },
  ]),
  regexExtract: texts('Extract', 'keeps the match of a pattern', [
    { name: 'pattern', label: 'Pattern', kind: 'text' },
    { name: 'group', label: 'Group', kind: 'number', optional: true },
  ]),

  hash: texts('Hash', 'gives equal values the same short code'),

  rowNumber: {
    label: 'Row number if missing',
    group: 'Decisions',
    does: 'gives a missing value the number of its row; such ids cannot be compared between tapes',
    fields: [],
  },
  ifStatement: {
    label: 'If',
    group: 'Decisions',
    does: 'returns one of two values based on a condition',
    fields: [
      {
        name: 'filter',
        label: 'Condition',
        kind: 'filter',
      },
      { name: 'then', label: 'Then', kind: 'operand' },
      { name: 'else', label: 'Otherwise', kind: 'operand', optional: true, hint: 'default: the value unchanged' },
    ],
  },
  switchCase: {
    label: 'Cases',
    group: 'Decisions',
    does: 'maps each value to another',
    fields: [
      { name: 'cases', label: 'Cases', kind: 'cases' },
      { name: 'default', label: 'Otherwise', kind: 'operand', optional: true, hint: 'default: an error' },
    ],
  },
  datesDiff: {
    label: 'Time between dates',
    group: 'Decisions',
    does: 'time from the value to another date',
    fields: [
      {
        name: 'column',
        label: 'End date column',
        kind: 'column',
        optional: true,
        hint: 'default: the cut-off date',
      },
      {
        ...select('format', 'Its cells are', DATE_FORMAT_LABELS),
        optional: true,
        unchosen: 'As the other rules',
        hint: 'as the rule of that column reads them where left out',
      },
      select('unit', 'Unit', TIME_UNIT_LABELS),
    ],
  },
  omit: {
    label: 'Omit',
    group: 'Decisions',
    does: 'treats the listed values as missing',
    fields: [{ name: 'values', label: 'Values', kind: 'lines', hint: 'one per line' }],
  },
};

export const STEP_TYPES = Object.keys(STEP_FORMS) as SerializationType[];
export const STEP_GROUPS = ['Conversions', 'Arithmetic', 'Text', 'Decisions'] as const;

/** A new step: each choice is set to its first option, and everything else is empty. */
export function newStep(type: SerializationType): Record<string, unknown> {
  const step: Record<string, unknown> = { type };
  for (const field of STEP_FORMS[type].fields) {
    if (field.kind === 'select' && !field.optional) step[field.name] = Object.keys(field.choices ?? {})[0];
  }
  if (type === 'SerializedTerm') step.unit = 'months';
  if (type === 'switchCase') step.cases = [];
  return step;
}
