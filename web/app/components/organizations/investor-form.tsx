import { useField } from '@conform-to/react';
import { SelectField, TextField } from '../forms/fields.tsx';
import { PanelSection } from '../page/section.tsx';

/** The groups that the form offers. */
export interface GroupChoices {
  choices: readonly { id: string; title: string }[];
  /** Number of all groups. */
  total: number;
}

/** The title and group of an investor. */
export function InvestorFields({ groups, isNew }: { groups: GroupChoices; isNew: boolean }) {
  const [title] = useField<string>('title');
  const [groupId] = useField<string>('groupId');
  const { choices, total } = groups;
  return (
    <PanelSection title="Investor" className="grid max-w-[46rem] gap-4 p-4 sm:grid-cols-2">
      <TextField
        field={title}
        label={isNew ? 'Title (optional)' : 'Title'}
        hint={`As lists and notices show it${isNew ? '; left empty, the name of the entity' : ''}`}
        required={!isNew}
        className="sm:col-span-2"
      />
      <SelectField
        field={groupId}
        label="Group (optional)"
        choices={choices.map((group) => ({ value: group.id, label: group.title }))}
        empty="No group"
        hint={
          choices.length < total
            ? `The first ${choices.length} of ${total} groups. Enter the title of another under More details.`
            : undefined
        }
      />
    </PanelSection>
  );
}

/** What few people enter for an investor. */
export function InvestorDetails() {
  const [groupTitle] = useField<string>('groupTitle');
  const [externalCode] = useField<string>('externalCode');
  return (
    <PanelSection title="Group and code" className="grid max-w-[46rem] gap-4 p-4 sm:grid-cols-2">
      <TextField field={groupTitle} label="Group by title" hint="Creates the group if there is none of this title" />
      <TextField
        field={externalCode}
        label="External code"
        hint="As the files of the administrator name the investor"
      />
    </PanelSection>
  );
}
