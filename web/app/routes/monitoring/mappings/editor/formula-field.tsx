import { formulaToSentence } from '@tapeline/domain/tapes/formulas/describe-formula.ts';
import { FORMULA_LIMITS } from '@tapeline/domain/tapes/formulas/formula.ts';
import { readFormula } from '@tapeline/domain/tapes/formulas/parse-formula.ts';
import { useState } from 'react';
import { inputClass } from '../../../../components/forms/fields.tsx';

/** The input of a formula. With JavaScript it shows what the formula calculates as the user types. */
export function FormulaField({ id, written, hint }: { id: string; written: string; hint: string | undefined }) {
  const [formula, setFormula] = useState(written);
  const reading = formula.trim() === '' ? null : readFormula(formula);
  // Problems of the formula as it was submitted are listed below the step.
  const problem = reading && 'problem' in reading && formula !== written ? reading.problem : null;
  const sentence = reading && 'formula' in reading ? `Calculates: ${formulaToSentence(reading.formula)}` : null;
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
