import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { TRANSACTION_TYPES } from '@tapeline/domain/facilities/transaction.schema.ts';
import type { ReactNode } from 'react';
import { Fields, useGroup } from '../../../../components/forms/described-fields.tsx';
import { type Choice, SelectField } from '../../../../components/forms/fields.tsx';
import { IndustryFields } from '../forms/industry-fields.tsx';
import { Part } from '../forms/terms-fields.tsx';
import { HiddenValues } from './hidden-values.tsx';

export function DealStep({
  companies,
  createdCompany,
  quickCompany,
  industries,
}: {
  companies: readonly Choice[];
  createdCompany: string | undefined;
  quickCompany: ReactNode;
  industries: readonly string[];
}) {
  const company = useGroup('company');
  const notes = useGroup('notes');
  return (
    <>
      <HiddenValues name="notes" value={notes.initialValue} />
      <Part title="Facility" grid>
        <Fields lines={[{ name: 'title', label: 'Title', className: 'sm:col-span-2' }]} />
        <SelectField
          key={createdCompany}
          field={company}
          label="Borrower"
          choices={companies}
          {...(createdCompany ? { defaultValue: createdCompany } : {})}
          empty="Choose a borrower"
        />
        <Fields lines={[{ name: 'type', label: 'Type', choices: choicesOf(TRANSACTION_TYPES) }]} />
        {quickCompany ? <div className="sm:col-span-2">{quickCompany}</div> : null}
      </Part>
      <IndustryFields suggestions={industries} />
    </>
  );
}
