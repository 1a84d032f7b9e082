type Value = string | number | boolean | null | undefined | readonly Value[] | { readonly [name: string]: Value };

/** The names and texts of the fields of a value: `notes[0].title`. */
export function namedValues(name: string, value: unknown): [name: string, text: string][] {
  if (value === null || value === undefined || value === '') return [];
  if (Array.isArray(value)) return value.flatMap((entry, index) => namedValues(`${name}[${index}]`, entry));
  if (typeof value === 'object')
    return Object.entries(value as Readonly<Record<string, Value>>).flatMap(([key, part]) =>
      namedValues(name === '' ? key : `${name}.${key}`, part),
    );
  return [[name, String(value)]];
}

/** Keeps what was entered on another step. */
export const HiddenValues = ({ name, value }: { name: string; value: unknown }) =>
  namedValues(name, value).map(([field, text]) => <input key={field} type="hidden" name={field} value={text} />);
