import { TRANCHE_TYPES } from '@tapeline/domain/facilities/terms.schema.ts';
import { type FieldLine, Fields, Suggestions } from '../../../../components/forms/described-fields.tsx';
import { Part } from './terms-fields.tsx';

const TRANCHE: readonly FieldLine[] = [
  { name: 'title', label: 'Title' },
  {
    name: 'sequence',
    label: 'Sequence',
    hint: 'Its position among the tranches; a unique number',
    inputMode: 'numeric',
  },
  {
    name: 'type',
    label: 'Type',
    hint: 'ROFR, ROFO or another exclusivity',
    list: 'tranche-types',
    autoComplete: 'off',
  },
  {
    name: 'isDiscretional',
    label: 'Discretionary',
    hint: 'A user of the manager must approve the move into it',
    className: 'self-end pb-1.5',
    isChecked: true,
  },
  {
    name: 'condition',
    label: 'Condition for moving into it (optional)',
    hint: 'Free text, not checked by Tapeline',
    rows: 2,
    optional: true,
  },
  { name: 'description', label: 'Description (optional)', rows: 2, optional: true },
];

/** What a tranche has besides its terms. */
export const TrancheFields = () => (
  <Part title="Tranche" grid>
    <Fields lines={TRANCHE} />
    <Suggestions id="tranche-types" values={TRANCHE_TYPES} />
  </Part>
);
