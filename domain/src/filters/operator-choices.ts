import type { Field } from './catalog.ts';
import type { Operator } from './filter.ts';
import { OPERATOR_LABELS, OPERATOR_WORDS, operatorsFor, TIME_WORDS } from './operators.ts';

export interface OperatorChoice {
  readonly operator: Operator;
  /** In a picker: "Greater than equal". */
  readonly label: string;
  /** Between field and value in a sentence: "is at least". */
  readonly words: string;
}

export function operatorChoices(field: Field): OperatorChoice[] {
  const isTime = field.type === 'date' || field.type === 'instant';
  return operatorsFor(field.type).map((operator) => ({
    operator,
    label: OPERATOR_LABELS[operator],
    words:
      (isTime ? TIME_WORDS[operator] : undefined) ?? (operator === 'exists' ? 'is known' : OPERATOR_WORDS[operator]),
  }));
}
