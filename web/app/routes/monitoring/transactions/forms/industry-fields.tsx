import { useField } from '@conform-to/react';
import { TextField } from '../../../../components/forms/fields.tsx';
import { ListRows } from '../../../../components/forms/list-rows.tsx';
import { Panel, Section } from '../../../../components/page/section.tsx';
import { FORM_PANEL } from './terms-fields.tsx';

/** @param suggestions of the manager's list of industries */
export function IndustryFields({ suggestions }: { suggestions: readonly string[] }) {
  const [industries] = useField<string[]>('industries');
  return (
    <Section title="Industries" note="at least one">
      <Panel className={FORM_PANEL}>
        <ListRows field={industries} one="Industry" most={100} compact>
          {(item, place) => (
            <TextField
              field={item}
              label={`Industry ${place + 1}`}
              list="industries"
              autoComplete="off"
              required={false}
              marksOptional={false}
            />
          )}
        </ListRows>
        <datalist id="industries">
          {suggestions.map((industry) => (
            <option key={industry} value={industry} />
          ))}
        </datalist>
      </Panel>
    </Section>
  );
}
