import { labelOf } from '@tapeline/domain/documents/labels.ts';
import { choiceExamples } from '@tapeline/domain/tapes/format-examples.ts';
import { OPERAND_HINT, writeLines, writeOperand } from '@tapeline/domain/tapes/operand-notation.ts';
import { FIRST_YEAR, type SerializationType } from '@tapeline/domain/tapes/serialization.schema.ts';
import { STEP_FORMS, type StepField } from '@tapeline/domain/tapes/step-fields.ts';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../../../components/forms/button.tsx';
import { CURRENCY_CHOICES } from '../../../../components/forms/currency-choices.ts';
import { inputClass, Select } from '../../../../components/forms/fields.tsx';
import type { DraftProblem, RawStep } from '../draft.ts';
import { casesOf, NEW_CASE, stepFieldName, writeField } from '../rule-form.ts';
import { ConditionFields } from './condition-fields.tsx';
import { EditButton } from './edit-button.tsx';
import { FormulaField } from './formula-field.tsx';
import { COLUMNS_LIST, Lines } from './lines.tsx';

export function Labelled({
  id,
  label,
  hint,
  optional = false,
  className,
  children,
}: {
  id: string;
  label: ReactNode;
  hint?: ReactNode;
  optional?: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <div className={className ?? 'min-w-0'}>
      <label htmlFor={id} className="mb-1 block text-xs font-medium text-ink-2">
        {label}
        {optional ? <span className="font-normal text-ink-3"> (optional)</span> : null}
      </label>
      {children}
      {hint ? <p className="mt-1 text-xs text-ink-3">{hint}</p> : null}
    </div>
  );
}

function Pair({ field, step, value }: { field: StepField; step: number; value: unknown }) {
  const name = stepFieldName(step, field.name);
  const [first, second] = Array.isArray(value) ? value : [];
  const words = field.kind === 'pair' ? ['Find', 'Replace with'] : ['From', 'To'];
  return (
    <>
      {words.map((word, at) => (
        <Labelled
          key={word}
          id={`${name}.${at}`}
          label={word}
          optional={field.kind === 'range' && at === 1}
          hint={at === 0 ? field.hint : undefined}
        >
          <input
            id={`${name}.${at}`}
            name={`${name}.${at}`}
            defaultValue={String((at === 0 ? first : second) ?? '')}
            className={inputClass()}
          />
        </Labelled>
      ))}
    </>
  );
}

function Cases({ field, step, value }: { field: StepField; step: number; value: unknown }) {
  const name = stepFieldName(step, field.name);
  const rows = [...casesOf(value), NEW_CASE];
  return (
    <div className="col-span-full">
      <div aria-hidden="true" className="mb-1 grid grid-cols-2 gap-2 text-xs font-medium text-ink-2">
        <span>When the value is (one per line)</span>
        <span>result</span>
      </div>
      <div className="flex flex-col gap-1.5">
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: cases have no identity other than their place
          <div key={at} className="grid grid-cols-2 items-start gap-2">
            <Lines
              name={`${name}.${at}.equals`}
              value={writeLines(row.equals)}
              label={at === rows.length - 1 ? 'New case: when the value is' : `Case ${at + 1}: when the value is`}
            />
            <input
              name={`${name}.${at}.then`}
              defaultValue={writeOperand(row.then)}
              aria-label={at === rows.length - 1 ? 'New case: result' : `Case ${at + 1}: result`}
              className={inputClass()}
            />
          </div>
        ))}
      </div>
      <p className="mt-1 flex flex-wrap items-center gap-2 text-xs text-ink-3">
        <Button type="submit" name="edit" value="keep" tone="quiet" className="h-7 px-2 text-xs">
          Add case
        </Button>
        Empty cases are ignored. {OPERAND_HINT}
      </p>
    </div>
  );
}

function FieldControl({
  field,
  step,
  value,
  examples,
}: {
  field: StepField;
  step: number;
  value: unknown;
  /** What a value of the column becomes with each choice. */
  examples: ReadonlyMap<string, string>;
}) {
  if (field.kind === 'pair' || field.kind === 'range') return <Pair field={field} step={step} value={value} />;
  if (field.kind === 'cases') return <Cases field={field} step={step} value={value} />;
  if (field.kind === 'filter') return <ConditionFields field={field} step={step} value={value} />;
  const name = stepFieldName(step, field.name);
  const written = writeField(field, value);
  if (field.kind === 'formula') return <FormulaField id={name} written={written} hint={field.hint} />;
  const isWide = field.kind === 'lines' || field.kind === 'parts';
  const choices = Object.keys(field.choices ?? {});
  const control = () => {
    switch (field.kind) {
      case 'select':
        return (
          <Select
            id={name}
            name={name}
            defaultValue={written || (field.optional ? '' : choices[0])}
            choices={[...new Set([...choices, ...(written ? [written] : [])])].map((choice) => ({
              value: choice,
              label: [labelOf(field.choices ?? {}, choice), examples.get(choice)].filter(Boolean).join('; '),
            }))}
            empty={field.optional ? field.unchosen : undefined}
          />
        );
      case 'currency':
        return (
          <Select id={name} name={name} defaultValue={written} choices={CURRENCY_CHOICES} empty="Mapping default" />
        );
      case 'lines':
      case 'parts':
        return <Lines id={name} name={name} value={written} />;
      case 'number':
        return (
          <input id={name} name={name} defaultValue={written} inputMode="decimal" className={inputClass('figures')} />
        );
      case 'column':
        return <input id={name} name={name} defaultValue={written} list={COLUMNS_LIST} className={inputClass()} />;
      default:
        return (
          <input
            id={name}
            name={name}
            defaultValue={written}
            title={field.kind === 'operand' ? OPERAND_HINT : undefined}
            className={inputClass()}
          />
        );
    }
  };
  return (
    <Labelled
      id={name}
      label={field.label}
      optional={field.optional}
      hint={field.hint}
      className={isWide ? 'col-span-full min-w-0' : undefined}
    >
      {control()}
    </Labelled>
  );
}

/** The window of two-digit years that a step has, if it is one that the schema accepts. */
function firstYearOf(step: RawStep): number | undefined {
  const parsed = FIRST_YEAR.safeParse(step.firstYear);
  return parsed.success ? parsed.data : undefined;
}

/** One step with its own small form, its errors, and the buttons to move or remove it. */
export function StepForm({
  step,
  index,
  count,
  problems,
  reads,
  values,
}: {
  step: RawStep;
  index: number;
  count: number;
  problems: readonly DraftProblem[];
  /** The condition of an if step as a sentence. */
  reads: string | null;
  /** A few values of the rule's column, as read. */
  values: readonly string[];
}) {
  const firstYear = firstYearOf(step);
  const form = STEP_FORMS[step.type as SerializationType];
  const label = form?.label ?? `Unknown step "${String(step.type)}"`;
  return (
    <li className="rounded-md border border-line bg-paper px-3 py-2" data-step={index}>
      <div className="flex items-center gap-2">
        <p className="min-w-0 text-sm font-[550]">
          <span className="figures mr-1.5 text-ink-3">{index + 1}</span>
          {label}
          {form ? <span className="ml-1.5 font-normal text-ink-3">{form.does}</span> : null}
        </p>
        <span className="ml-auto flex flex-none">
          {index > 0 ? (
            <EditButton edit={`step-up:${index}`} label={`Move step ${index + 1} up`}>
              ↑
            </EditButton>
          ) : null}
          {index < count - 1 ? (
            <EditButton edit={`step-down:${index}`} label={`Move step ${index + 1} down`}>
              ↓
            </EditButton>
          ) : null}
          <EditButton edit={`step-drop:${index}`} label={`Remove step ${index + 1}, ${label}`}>
            <X size={14} />
          </EditButton>
        </span>
      </div>
      {form && form.fields.length > 0 ? (
        <div className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-2">
          {form.fields.map((field) => (
            <FieldControl
              key={field.name}
              field={field}
              step={index}
              value={step[field.name]}
              examples={choiceExamples(field.name, values, firstYear)}
            />
          ))}
        </div>
      ) : null}
      {reads ? <p className="mt-1.5 text-xs text-ink-2">Reads: {reads}</p> : null}
      <Problems problems={problems} />
    </li>
  );
}

export function Problems({ problems }: { problems: readonly DraftProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <ul className="mt-1.5 text-xs text-danger">
      {[...new Set(problems.map(({ here }) => here))].map((message) => (
        <li key={message}>{message}</li>
      ))}
    </ul>
  );
}
