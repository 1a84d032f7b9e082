import { inputClass } from '../../components/forms/fields.tsx';

/** The list of the tape's columns and earlier targets that inputs of the editor suggest. */
export const COLUMNS_LIST = 'mapping-columns';

/** A text area as high as what it holds, within reason. */
export function Lines({ id, name, value, label }: { id?: string; name: string; value: string; label?: string }) {
  return (
    <textarea
      id={id}
      name={name}
      aria-label={label}
      defaultValue={value}
      rows={Math.min(8, Math.max(1, value.split('\n').length))}
      className={inputClass('h-auto py-1.5')}
    />
  );
}
