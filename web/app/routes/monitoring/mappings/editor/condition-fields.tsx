import { operatorChoices } from '@tapeline/domain/filters/operator-choices.ts';
import type { StepField } from '@tapeline/domain/tapes/step-fields.ts';
import { useState } from 'react';
import { GroupedLine } from '../../../../components/filters/group-controls.tsx';
import { Button } from '../../../../components/forms/button.tsx';
import { inputClass, Select } from '../../../../components/forms/fields.tsx';
import { useHydrated } from '../../../../components/use-hydrated.ts';
import { type ConditionLine, conditionLines, NEW_LINE } from '../conditions.ts';
import { stepFieldName, writeField } from '../rule-form.ts';
import { COLUMNS_LIST, Lines } from './lines.tsx';

/** A column can contain anything, so every comparison is offered. One that does not fit is rejected with a message. */
const COMPARISONS = operatorChoices({ path: '', label: '', type: 'text' }).map(({ operator, words }) => ({
  operator,
  words: operator === 'in' ? 'is one of' : words,
}));

/** The condition of an if step: lines of column, comparison and value, or JSON for what lines cannot express. */
export function ConditionFields({ field, step, value }: { field: StepField; step: number; value: unknown }) {
  const name = stepFieldName(step, field.name);
  // The text as first rendered. During an in-place edit, a text area keeps its text, and the user's input keeps its
  // focus.
  const [written] = useState(() => writeField(field, value));
  const drawn = <input type="hidden" name={`${name}.drawn`} value={written} />;
  const [first] = useState(() => conditionLines(value));
  if (first === null) {
    return (
      <div className="col-span-full min-w-0">
        <label htmlFor={name} className="mb-1 block text-xs font-medium text-ink-2">
          {field.label}, as JSON
        </label>
        <Lines id={name} name={name} value={written} />
        {drawn}
        <p className="mt-1 text-xs text-ink-3">{JSON_HINT}</p>
      </div>
    );
  }
  return (
    <fieldset className="col-span-full min-w-0">
      <legend className="mb-1 text-xs font-medium text-ink-2">{field.label}</legend>
      <LineRows name={name} lines={conditionLines(value) ?? first} />
      {drawn}
      <details className="mt-1.5 text-xs text-ink-3">
        <summary className="w-fit cursor-pointer font-medium text-accent hover:underline">Edit as JSON</summary>
        <div className="mt-1.5">
          <Lines id={name} name={name} value={written} label={`${field.label} as JSON`} />
        </div>
        <p className="mt-1">{JSON_HINT} Changes here replace the conditions above.</p>
      </details>
    </fieldset>
  );
}

const JSON_HINT = 'Groups with $and, $or and $not: {"$or": [{"Status": "Late"}, {"Balance": {"gt": 0}}]}.';

const LINES_HINT =
  'Empty lines are ignored. Separate multiple values with commas. Use "quotes" for text that looks like a number, {Column} for another column and cutOff - 90d for a date before the cut-off date.';

function LineRows({ name, lines }: { name: string; lines: readonly ConditionLine[] }) {
  const hydrated = useHydrated();
  const [asked, setAsked] = useState(false);
  const hasBrackets = !hydrated || asked || lines.some(({ open, close }) => open || close);
  const rows = [...lines, NEW_LINE];
  return (
    <>
      <div className="flex flex-col gap-1.5">
        {rows.map((row, at) => {
          const which = at === rows.length - 1 ? 'New condition' : `Condition ${at + 1}`;
          return (
            <GroupedLine
              // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity other than their place
              key={at}
              index={at}
              line={row}
              nameOf={(part) => `${name}.${at}.${part}`}
              hasBrackets={hasBrackets}
            >
              <input
                name={`${name}.${at}.column`}
                defaultValue={row.column}
                list={COLUMNS_LIST}
                placeholder="Column or target"
                aria-label={`${which}: column`}
                className={inputClass()}
              />
              <Select
                name={`${name}.${at}.operator`}
                defaultValue={row.operator}
                aria-label={`${which}: comparison`}
                choices={COMPARISONS.map(({ operator, words }) => ({ value: operator, label: words }))}
              />
              <input
                name={`${name}.${at}.value`}
                defaultValue={row.value}
                placeholder="Value"
                aria-label={`${which}: value`}
                autoComplete="off"
                className={inputClass()}
              />
            </GroupedLine>
          );
        })}
      </div>
      <div className="mt-1.5 flex flex-wrap items-center gap-2 text-xs text-ink-3">
        <Button type="submit" name="edit" value="keep" tone="quiet" className="h-7 px-2 text-xs">
          Add condition
        </Button>
        {hasBrackets ? null : (
          <Button type="button" tone="quiet" className="h-7 px-2 text-xs" onClick={() => setAsked(true)}>
            Brackets
          </Button>
        )}
        <span>{LINES_HINT}</span>
      </div>
    </>
  );
}
