import { formulaToSentence } from '@tapeline/domain/tapes/formulas/describe-formula.ts';
import { FORMULA_LIMITS } from '@tapeline/domain/tapes/formulas/formula.ts';
import { FormulaError } from '@tapeline/domain/tapes/formulas/formula-tokens.ts';
import { parseFormula } from '@tapeline/domain/tapes/formulas/parse-formula.ts';
import { useState } from 'react';
import { inputClass } from '../../../../components/forms/fields.tsx';

/** What the formula calculates, or why it cannot be read. */
function readingOf(formula: string): { sentence: string } | { problem: string } {
  try {
    return { sentence: formulaToSentence(parseFormula(formula)) };
  } catch (error) {
    if (error instanceof FormulaError) return { problem: `The formula ${error.message}` };
    throw error;
  }
}

/** The box of a formula. With JavaScript it says at each key what the formula calculates. */
export function FormulaField({ id, written, hint }: { id: string; written: string; hint: string | undefined }) {
  const [formula, setFormula] = useState(written);
  const reading = formula.trim() === '' ? null : readingOf(formula);
  // What is wrong with the formula as it was sent is listed below the step.
  const problem = reading && 'problem' in reading && formula !== written ? reading.problem : null;
  const sentence = reading && 'sentence' in reading ? `Calculates: ${reading.sentence}` : null;
  return (
    <div className="col-span-full min-w-0">
      <label htmlFor={id} className="mb-1 block text-xs font-medium text-ink-2">
        Formula
      </label>
      <input
        id={id}
        name={id}
        defaultValue={written}
        onInput={(event) => setFormula(event.currentTarget.value)}
        maxLength={FORMULA_LIMITS.characters}
        autoComplete="off"
        spellCheck={false}
        aria-describedby={`${id}-reading ${id}-hint`}
        aria-invalid={problem ? true : undefined}
        className={inputClass('font-mono')}
      />
      <p
        id={`${id}-reading`}
        role="status"
        className={problem ? 'mt-1 text-xs text-danger' : 'mt-1 text-xs text-ink-2'}
      >
        {problem ?? sentence}
      </p>
      <p id={`${id}-hint`} className="mt-1 text-xs text-ink-3">
        {hint}
      </p>
    </div>
  );
}
