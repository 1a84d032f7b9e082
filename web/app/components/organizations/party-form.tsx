import { useField } from '@conform-to/react';
import { COMPANY_STATUSES } from '@tapeline/domain/companies/states.ts';
import type { ReactNode } from 'react';
import { SelectField, TextareaField } from '../forms/fields.tsx';
import { MoreDetails } from '../forms/more-details.tsx';
import { PanelSection } from '../page/section.tsx';
import { EntityFields } from './entity-fields.tsx';
import { EntityFacts } from './entity-sections.tsx';
import type { ShownEntity } from './organization-page.server.ts';

/**
 * The fields of a company, manager or investor: what is its own, and its entity, which is shown without fields where it
 * is one of the register or may not be changed.
 * @param own the fields that only this kind has
 * @param more those of them that few people need
 * @param statusNote what disabling means; omitted for a new one
 */
export function PartyFields({
  own,
  more,
  entity,
  editsEntity,
  categories,
  industries,
  today,
  statusNote,
  domainsHint,
}: {
  own?: ReactNode;
  more: { names: readonly string[]; fields: ReactNode };
  entity: ShownEntity | null;
  editsEntity: boolean;
  categories: readonly string[];
  industries: readonly string[];
  today: string;
  statusNote?: string;
  domainsHint: string;
}) {
  const [domains] = useField<string>('domains');
  const details = {
    names: [...more.names, 'domains'],
    fields: (
      <>
        {more.fields}
        <PanelSection title="People" className="max-w-[46rem] p-4">
          <TextareaField field={domains} label="Email domains" hint={domainsHint} rows={3} />
        </PanelSection>
      </>
    ),
  };
  return (
    <>
      {own}
      {editsEntity ? (
        <EntityFields categories={categories} industries={industries} today={today} more={details} />
      ) : (
        <>
          {entity ? <EntityFacts entity={entity} /> : null}
          <MoreDetails names={details.names}>{details.fields}</MoreDetails>
        </>
      )}
      {statusNote ? <StatusField note={statusNote} /> : null}
    </>
  );
}

function StatusField({ note }: { note: string }) {
  const [status] = useField<string>('status');
  return (
    <PanelSection title="Status" note={note} className="max-w-[46rem] p-4">
      <SelectField field={status} label="Status" choices={COMPANY_STATUSES.map((value) => ({ value, label: value }))} />
    </PanelSection>
  );
}
