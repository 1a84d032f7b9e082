import { AmountFields } from '../../../../components/forms/amount-fields.tsx';
import { CURRENCY_CHOICES } from '../../../../components/forms/currency-choices.ts';
import {
  type FieldLine,
  Fields,
  fieldsetOf,
  PERCENT,
  useGroup,
} from '../../../../components/forms/described-fields.tsx';
import { type Choice, SelectField, TextField } from '../../../../components/forms/fields.tsx';
import { ListRows } from '../../../../components/forms/list-rows.tsx';
import { Columns } from '../../../../components/page/section.tsx';
import { Part } from './terms-fields.tsx';

const NOTE: readonly FieldLine[] = [
  { name: 'title', label: 'Title', hint: 'For example Senior, Mezzanine or Junior' },
  {
    name: 'mainCurrency',
    label: 'Main currency (optional)',
    choices: CURRENCY_CHOICES,
    empty: 'That of the first commitment',
    optional: true,
  },
  {
    name: 'priority.attachmentPoint',
    label: 'Attachment point (optional)',
    hint: '0 to 99.9; the losses before this note takes its first',
    ...PERCENT,
  },
  {
    name: 'priority.detachmentPoint',
    label: 'Detachment point (optional)',
    hint: '0.1 to 100; the losses at which this note is lost',
    ...PERCENT,
  },
  { name: 'operational', label: 'Operational', isChecked: true },
];

const holdingLines = (funds: readonly Choice[]): readonly FieldLine[] => [
  { name: 'fund', label: 'Fund', choices: funds, empty: 'By name', optional: true },
  { name: 'holding', label: 'Or another holder', optional: true },
  { name: 'targetPercentage', label: 'Target', unit: '%', inputMode: 'decimal' },
  { name: 'actualPercentage', label: 'Actual', unit: '%', inputMode: 'decimal' },
];

const RIGHTS: readonly FieldLine[] = [
  { name: 'amount', amount: AmountFields, label: 'Amount of the rights', optional: true },
  { name: 'description', label: 'Description of the rights (optional)', rows: 2, optional: true },
];

/** The lists of a note whose entries are one field: an entity of the register, or a text. */
const LISTS = [
  { name: 'counselsCompany', one: 'Borrower counsel', title: 'Counsel of the borrower', isEntity: true },
  { name: 'counselsManager', one: 'Manager counsel', title: 'Counsel of the manager', isEntity: true },
  { name: 'security', one: 'Security', title: 'Security', isEntity: false },
  { name: 'legalAgreements', one: 'Legal agreement', title: 'Legal agreements', isEntity: false },
] as const;

/** Everything of a note except its terms and tranches. */
export function NoteFields({ entities, funds }: { entities: readonly Choice[]; funds: readonly Choice[] }) {
  const note = useGroup('note');
  const fields = fieldsetOf(note);
  return (
    <>
      <Part title="Note" grid>
        <Fields of={note} lines={NOTE} />
      </Part>
      <Part title="Holdings" note="a fund of the manager, or another holder by name">
        <ListRows field={fields.holdings} one="Holding" most={200}>
          {(item) => <Fields of={item} lines={holdingLines(funds)} />}
        </ListRows>
      </Part>
      <Columns>
        {LISTS.map(({ name, one, title, isEntity }) => (
          <Part key={name} title={title} note={isEntity ? 'from the register of entities' : undefined}>
            <ListRows field={fields[name]} one={one} most={200} compact>
              {(item, index) => {
                const shared = { field: item, label: `${one} ${index + 1}`, required: false };
                return isEntity ? (
                  <SelectField {...shared} choices={entities} empty="Choose an entity" />
                ) : (
                  <TextField {...shared} marksOptional={false} />
                );
              }}
            </ListRows>
          </Part>
        ))}
      </Columns>
      <Part title="Future investment rights" grid>
        <Fields of={fields.futureInvestmentRights} lines={RIGHTS} />
      </Part>
    </>
  );
}
