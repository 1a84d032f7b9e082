import { inputClass } from '../../../../components/forms/fields.tsx';

/** The id of the datalist with the tape's columns and earlier targets, used by inputs of the editor. */
export const COLUMNS_LIST = 'mapping-columns';

/** A text area that grows with its content, up to a limit. */
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
