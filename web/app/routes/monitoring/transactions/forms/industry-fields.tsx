import { Suggestions, useGroup } from '../../../../components/forms/described-fields.tsx';
import { TextField } from '../../../../components/forms/fields.tsx';
import { ListRows } from '../../../../components/forms/list-rows.tsx';
import { Part } from './terms-fields.tsx';

/** @param suggestions of the manager's list of industries */
export const IndustryFields = ({ suggestions }: { suggestions: readonly string[] }) => (
  <Part title="Industries" note="at least one">
    <ListRows field={useGroup('industries')} one="Industry" most={100} compact>
      {(item, index) => (
        <TextField
          field={item}
          label={`Industry ${index + 1}`}
          list="industries"
          autoComplete="off"
          required={false}
          marksOptional={false}
        />
      )}
    </ListRows>
    <Suggestions id="industries" values={suggestions} />
  </Part>
);
