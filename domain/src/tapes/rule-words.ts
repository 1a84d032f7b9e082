import { codeLabel } from '../documents/code-labels.ts';
import { inSentence } from '../documents/field-labels.ts';
import { labelOf } from '../documents/labels.ts';
import { filterToSentence } from '../filters/sentence.ts';
import { quoteText } from '../filters/spoken-value.ts';
import { describeBound } from './expectation.ts';
import { formulaToSentence } from './formulas/describe-formula.ts';
import { writeOperand } from './operand-notation.ts';
import type { PlannedRule, PlannedStep } from './planned-rule.ts';
import {
  CHECK_WORDS,
  leavesEmpty,
  type MappingRule,
  ON_DUPLICATE_LABELS,
  ON_UNREADABLE_LABELS,
} from './rule.schema.ts';
import type { Serialization, SerializationOf } from './serialization.schema.ts';
import { STEP_FORMS, type StepField } from './step-fields.ts';

/** Values of a list, or cases, that are written before "and 12 more". */
const MAX_LISTED = 20;
/** Characters of a rule's steps: as many as fit on one screen. */
const MAX_STEPS_TEXT = 2000;

/**
 * The steps of a rule in one line, in the words of the editor: "Trim, then Number (unit: Thousands), then Multiply
 * (number: 12)". A longer text than 2,000 characters is cut.
 */
export function describeSteps({ rule, steps }: Pick<PlannedRule, 'rule' | 'steps'>): string {
  const planned = new Map(steps.map((each) => [each.step, each]));
  const text = rule.serializations.map((step) => stepInWords(step, planned.get(step))).join(', then ');
  return text.length > MAX_STEPS_TEXT ? `${text.slice(0, MAX_STEPS_TEXT - 1)}…` : text;
}

function stepInWords(step: Serialization, planned: PlannedStep | undefined): string {
  const { label, fields } = STEP_FORMS[step.type];
  const options = fields.flatMap((field) => {
    const value = (step as Readonly<Record<string, unknown>>)[field.name];
    const text = value === undefined || value === '' ? null : optionInWords(field, value, planned);
    return text === null ? [] : [{ name: nameOf(field), text }];
  });
  if (options.length === 0) return label;
  return `${label} (${options.map(({ name, text }) => (fields.length === 1 ? text : `${name}: ${text}`)).join('; ')})`;
}

/** A column has the name of its option: its label in the form says that it is an alternative. */
const nameOf = ({ kind, name, label }: StepField): string => inSentence(kind === 'column' ? codeLabel(name) : label);

/** The value of an option; null for one that says nothing. */
function optionInWords(field: StepField, value: unknown, planned: PlannedStep | undefined): string | null {
  switch (field.kind) {
    case 'select':
      return value === 'scalar' ? null : labelOf(field.choices ?? {}, String(value));
    case 'text':
      return quoteText(String(value));
    case 'operand':
      return writeOperand(value);
    case 'lines':
      return listed((value as SerializationOf<'omit'>['values']).map(writeOperand));
    case 'pair': {
      const [find = '', replacement = ''] = value as SerializationOf<'replaceStrings'>['value'];
      return `${quoteText(find)} by ${quoteText(replacement)}`;
    }
    case 'range': {
      const [from, to] = value as SerializationOf<'slice'>['value'];
      return to === undefined ? `from ${from}` : `from ${from} to ${to}`;
    }
    case 'cases':
      return listed((value as SerializationOf<'switchCase'>['cases']).map(caseInWords), '; ');
    case 'parts':
      return listed(
        (value as SerializationOf<'concat'>['parts']).map((part) =>
          'column' in part ? writeOperand(part) : quoteText(part.text),
        ),
      );
    case 'filter':
      return planned?.filter ? filterToSentence(planned.filter) : JSON.stringify(value);
    case 'formula':
      return planned?.formula ? formulaToSentence(planned.formula.formula) : String(value);
    default:
      return String(value);
  }
}

function caseInWords({ equals, then }: SerializationOf<'switchCase'>['cases'][number]): string {
  const values = Array.isArray(equals) ? equals : [equals];
  return `${listed(values.map(writeOperand))} = ${writeOperand(then)}`;
}

function listed(texts: readonly string[], separator = ', '): string {
  const more = texts.length - MAX_LISTED;
  return more > 0 ? `${texts.slice(0, MAX_LISTED).join(separator)}${separator}and ${more} more` : texts.join(separator);
}

/** The checks of a rule: "Mandatory: a missing value is an error". Empty if it has none. */
export const describeChecks = ({ checks, onDuplicate }: Pick<MappingRule, 'checks' | 'onDuplicate'>): string =>
  checks
    .map((check) => {
      const isNumbered = check === 'Unique' && onDuplicate === 'numbered';
      return `${check}: ${isNumbered ? inSentence(ON_DUPLICATE_LABELS.numbered) : CHECK_WORDS[check]}`;
    })
    .join('; ');

/** The validations of a rule: "At least 0; at most 100". Empty if it has none. */
export function describeValidations({ validations }: Pick<MappingRule, 'validations'>): string {
  const text = validations.map(describeBound).join('; ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What a cell costs that the rule cannot read. */
export const describeUnreadable = (rule: Pick<MappingRule, 'checks' | 'onUnreadable'>): string =>
  ON_UNREADABLE_LABELS[leavesEmpty(rule) ? 'empty' : 'error'];
