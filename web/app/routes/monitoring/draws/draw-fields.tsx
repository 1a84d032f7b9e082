import type { FieldMetadata } from '@conform-to/react';
import { DRAW_TYPES, MAX_ATTACHMENTS } from '@tapeline/domain/draws/draw.schema.ts';
import { CURRENCIES } from '@tapeline/domain/money/currencies.ts';
import { DocumentsField } from '../../../components/forms/documents-field.tsx';
import { SelectField, TextareaField, TextField } from '../../../components/forms/fields.tsx';
import { ListRows } from '../../../components/forms/list-rows.tsx';
import { Panel, Section } from '../../../components/page/section.tsx';
import { MAX_LINES } from './draw-form.ts';

// biome-ignore lint/suspicious/noExplicitAny: conform's fields of a nested schema
type Fields = Readonly<Record<string, FieldMetadata<any>>>;

const CODES = CURRENCIES.map(({ code }) => code);

/** The fields of a request. @param currencies those that the note may be drawn in, which are offered first */
export function DrawFields({
  fields,
  currencies,
  kept = [],
}: {
  fields: Fields;
  currencies: readonly string[];
  /** Files that were stored with an earlier attempt. */
  kept?: readonly { key: string; name: string }[];
}) {
  const { cutOffDate, dueDate, lines, description, files } = fields as Required<Fields>;
  const offered = [...currencies, ...CODES.filter((code) => !currencies.includes(code))];
  return (
    <>
      <Panel className="grid gap-4 p-4 sm:grid-cols-2">
        <TextField field={cutOffDate!} label="Cut-off date" type="date" />
        <TextField field={dueDate!} label="Due date" hint="Requested day of the transfer" type="date" />
      </Panel>
      <Section title="Amounts" note="Leave out what you don’t request">
        <Panel padded>
          <ListRows field={lines as unknown as FieldMetadata<unknown[]>} one="Amount" most={MAX_LINES} compact>
            {(line) => {
              const { type, sum, currency } = (
                line as FieldMetadata<{ type: string; sum: string; currency: string }>
              ).getFieldset();
              return (
                <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)_minmax(0,0.8fr)] gap-2">
                  <SelectField
                    field={type}
                    label="Draw type"
                    choices={DRAW_TYPES.map((one) => ({ value: one, label: one }))}
                  />
                  <TextField field={sum} label="Amount" inputMode="decimal" marksOptional={false} required={false} />
                  <SelectField
                    field={currency}
                    label="Currency"
                    choices={offered.map((code) => ({ value: code, label: code }))}
                  />
                </div>
              );
            }}
          </ListRows>
        </Panel>
      </Section>
      <Panel className="mb-4 grid gap-4 p-4">
        <TextareaField field={description!} label="Note to the lender" rows={3} />
        <DocumentsField field={files!} label="Documents" most={MAX_ATTACHMENTS} kept={kept} />
      </Panel>
    </>
  );
}
