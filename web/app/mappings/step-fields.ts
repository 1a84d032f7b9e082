import {
  DATE_FORMATS,
  DISTANCE_UNITS,
  NUMBER_UNITS,
  PERCENTAGE_SCALES,
  type SerializationType,
  TIME_UNITS,
  WEIGHT_UNITS,
} from '@tapeline/domain/tapes/serialization.schema.ts';
import { INTEREST_KINDS } from '@tapeline/domain/tapes/target-schema.ts';

/** How one option of a step is entered. */
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
  | 'filter';

export interface StepField {
  /** The option's name in the step. */
  readonly name: string;
  readonly label: string;
  readonly kind: StepFieldKind;
  readonly optional?: boolean;
  readonly hint?: string;
  readonly choices?: readonly string[];
}

export interface StepForm {
  readonly label: string;
  readonly group: 'Conversions' | 'Arithmetic' | 'Texts' | 'Decisions';
  /** What it does to the value, in a few words. */
  readonly does: string;
  readonly fields: readonly StepField[];
}

const select = (name: string, label: string, choices: readonly string[]): StepField => ({
  name,
  label,
  kind: 'select',
  choices,
});
const unit = select('unit', 'The cell is in', NUMBER_UNITS);
const scale = select('scale', 'The cell runs from', PERCENTAGE_SCALES);
const conversion = (label: string, does: string, fields: readonly StepField[] = []): StepForm => ({
  label,
  group: 'Conversions',
  does,
  fields,
});
const texts = (label: string, does: string, fields: readonly StepField[] = []): StepForm => ({
  label,
  group: 'Texts',
  does,
  fields,
});
const withNumber = (label: string, does: string): StepForm => ({
  label,
  group: 'Arithmetic',
  does,
  fields: [
    { name: 'value', label: 'Number', kind: 'number', optional: true },
    { name: 'column', label: 'or another column', kind: 'column', optional: true },
  ],
});
const alone = (label: string, does: string): StepForm => ({ label, group: 'Arithmetic', does, fields: [] });

/** The small form of each kind of step; a test holds it against the schema, option by option. */
export const STEP_FORMS: Readonly<Record<SerializationType, StepForm>> = {
  text: conversion('Text', 'reads the cell as text'),
  number: conversion('Number', 'reads a number, without % and spaces', [unit]),
  boolean: conversion('Yes or no', '1, y, yes, true and positive are true'),
  date: conversion('Date', 'reads a calendar date', [select('format', 'Written as', DATE_FORMATS)]),
  percentage: conversion('Percentage', 'reads a percentage into points', [scale]),
  SerializedPercentage: conversion('Serialized percentage', 'reads a percentage into points', [scale]),
  SerializedInterest: conversion('Interest rate', 'reads a rate into points; refuses negative ones', [
    scale,
    select('kind', 'Kind', INTEREST_KINDS),
  ]),
  SerializedSum: conversion('Amount of money', "rounds to the currency's minor unit", [
    { name: 'currency', label: 'Currency', kind: 'currency', optional: true, hint: "the mapping's own where left out" },
    { name: 'currencyColumn', label: 'or the column that names it', kind: 'column', optional: true },
    unit,
  ]),
  SerializedTerm: conversion('Term', 'reads a length of time', [select('unit', 'Counted in', TIME_UNITS)]),
  distance: conversion('Distance', 'kept in kilometers', [select('unit', 'The cell is in', DISTANCE_UNITS)]),
  weight: conversion('Weight', 'kept in meters', [select('unit', 'The cell is in', WEIGHT_UNITS)]),
  assetStatus: conversion('Asset status', 'reads one of the known statuses'),

  add: withNumber('Add', 'adds to the value'),
  subtract: withNumber('Subtract', 'takes from the value'),
  multiply: withNumber('Multiply', 'multiplies the value'),
  divide: withNumber('Divide', 'divides the value'),
  power: withNumber('Power', 'raises the value to a power'),
  min: withNumber('Smaller of', 'the smaller of the value and this'),
  max: withNumber('Larger of', 'the larger of the value and this'),
  absolute: alone('Absolute', 'drops the sign'),
  negate: alone('Negate', 'turns the sign'),
  round: {
    label: 'Round',
    group: 'Arithmetic',
    does: 'rounds; a half goes away from zero',
    fields: [{ name: 'digits', label: 'Digits after the point', kind: 'number', optional: true }],
  },

  trim: texts('Trim', 'drops spaces at both ends'),
  upper: texts('Upper case', 'writes it in capitals'),
  lower: texts('Lower case', 'writes it in small letters'),
  replaceStrings: texts('Replace', 'puts one text in the place of another', [
    { name: 'value', label: 'Find and put', kind: 'pair' },
  ]),
  slice: texts('Slice', 'keeps a part by position', [
    { name: 'value', label: 'From and to', kind: 'range', hint: 'counted from 0; negative from the end' },
  ]),
  concat: texts('Append', 'appends texts and columns', [
    { name: 'parts', label: 'Parts', kind: 'parts', hint: 'one a line; {Column} for a column' },
    { name: 'separator', label: 'Between the parts', kind: 'text', optional: true },
  ]),
  split: texts('Split', 'keeps one piece', [
    { name: 'by', label: 'Split by', kind: 'text' },
    { name: 'index', label: 'Keep piece', kind: 'number', hint: 'counted from 0; negative from the end' },
  ]),
  padStart: texts('Pad', 'fills up on the left', [
    { name: 'length', label: 'Length', kind: 'number' },
    { name: 'fill', label: 'Fill with', kind: 'text', optional: true },
  ]),
  regexExtract: texts('Extract', 'keeps what a pattern finds', [
    { name: 'pattern', label: 'Pattern', kind: 'text' },
    { name: 'group', label: 'Group', kind: 'number', optional: true },
  ]),

  ifStatement: {
    label: 'If',
    group: 'Decisions',
    does: 'one value or another by a condition',
    fields: [
      {
        name: 'filter',
        label: 'Condition',
        kind: 'filter',
      },
      { name: 'then', label: 'Then', kind: 'operand' },
      { name: 'else', label: 'Otherwise', kind: 'operand', optional: true, hint: 'as it is where left out' },
    ],
  },
  switchCase: {
    label: 'Cases',
    group: 'Decisions',
    does: 'a value for each value',
    fields: [
      { name: 'cases', label: 'Cases', kind: 'cases' },
      { name: 'default', label: 'Any other', kind: 'operand', optional: true, hint: 'an error where left out' },
    ],
  },
  datesDiff: {
    label: 'Time between dates',
    group: 'Decisions',
    does: 'counts from the value to another date',
    fields: [
      {
        name: 'column',
        label: 'To the date in',
        kind: 'column',
        optional: true,
        hint: 'the cut-off date where left out',
      },
      select('unit', 'Counted in', TIME_UNITS),
    ],
  },
  omit: {
    label: 'Leave out',
    group: 'Decisions',
    does: 'makes the listed values missing',
    fields: [{ name: 'values', label: 'Values', kind: 'lines', hint: 'one a line' }],
  },
};

export const STEP_TYPES = Object.keys(STEP_FORMS) as SerializationType[];
export const STEP_GROUPS = ['Conversions', 'Arithmetic', 'Texts', 'Decisions'] as const;

/** A step as it is added: choices stand on their first, everything else is still to be filled in. */
export function newStep(type: SerializationType): Record<string, unknown> {
  const step: Record<string, unknown> = { type };
  for (const field of STEP_FORMS[type].fields) {
    if (field.kind === 'select') step[field.name] = field.choices?.[0];
  }
  if (type === 'SerializedTerm') step.unit = 'months';
  if (type === 'switchCase') step.cases = [];
  return step;
}
