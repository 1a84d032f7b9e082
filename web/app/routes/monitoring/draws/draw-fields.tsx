import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { DRAW_TYPES, MAX_DRAW_ATTACHMENTS } from '@tapeline/domain/draws/draw.schema.ts';
import { CURRENCY_CHOICES } from '../../../components/forms/currency-choices.ts';
import { DECIMAL, Fields, useGroup } from '../../../components/forms/described-fields.tsx';
import { DocumentsField } from '../../../components/forms/documents-field.tsx';
import { ListRows } from '../../../components/forms/list-rows.tsx';
import { Panel, PanelSection } from '../../../components/page/section.tsx';
import { MAX_DRAW_AMOUNTS } from './draw-form.ts';

const CODES = CURRENCY_CHOICES.map(({ value }) => value);

/** The fields of a request. @param currencies those that the note may be drawn in, which are offered first */
export function DrawFields({
  currencies,
  kept = [],
}: {
  currencies: readonly string[];
  /** Files that were stored with an earlier attempt. */
  kept?: readonly { key: string; name: string }[];
}) {
  const offered = [...currencies, ...CODES.filter((code) => !currencies.includes(code))];
  const amounts = useGroup('lines');
  const files = useGroup('files');
  return (
    <>
      <Panel className="grid gap-4 p-4 sm:grid-cols-2">
        <Fields
          lines={[
            { name: 'cutOffDate', label: 'Cut-off date', type: 'date', suggestsMonthEnds: true },
            { name: 'dueDate', label: 'Due date', hint: 'Requested day of the transfer', type: 'date' },
          ]}
        />
      </Panel>
      <PanelSection
        title="Amounts"
        note={amounts.getFieldList().length > 1 ? 'Leave out what you don’t request' : undefined}
        padded
      >
        <ListRows field={amounts} one="Amount" most={MAX_DRAW_AMOUNTS} compact>
          {(line) => (
            <div className="grid gap-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)_minmax(0,0.8fr)]">
              <Fields
                of={line}
                lines={[
                  { name: 'type', label: 'Draw type', choices: choicesOf(DRAW_TYPES) },
                  { name: 'sum', label: 'Amount', ...DECIMAL },
                  { name: 'currency', label: 'Currency', choices: choicesOf(offered) },
                ]}
              />
            </div>
          )}
        </ListRows>
      </PanelSection>
      <Panel className="mb-4 grid gap-4 p-4">
        <Fields lines={[{ name: 'description', label: 'Note to the lender', rows: 3 }]} />
        <DocumentsField field={files} label="Documents" most={MAX_DRAW_ATTACHMENTS} kept={kept} />
      </Panel>
    </>
  );
}
