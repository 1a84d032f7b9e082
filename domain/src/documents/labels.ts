/** The values of an enumeration, each with what people call it. Screens, PDFs, workbooks, filters and the importer say the same. */
export type Labels<Value extends string> = Readonly<Record<Value, string>>;

/** The values, in the order in which their labels are written. */
export const valuesOf = <Value extends string>(labels: Labels<Value>): [Value, ...Value[]] =>
  Object.keys(labels) as [Value, ...Value[]];

/** What people call a value; the value itself if the enumeration does not have it. */
export const labelOf = (labels: Labels<string>, value: string): string =>
  Object.hasOwn(labels, value) ? labels[value]! : value;

const isList = <Value extends string>(values: Labels<Value> | readonly Value[]): values is readonly Value[] =>
  Array.isArray(values);

/** The values as a form offers them: with their labels, or as they are. */
export const choicesOf = <Value extends string>(
  values: Labels<Value> | readonly Value[],
): { value: Value; label: string }[] =>
  isList(values)
    ? values.map((value) => ({ value, label: value }))
    : valuesOf(values).map((value) => ({ value, label: values[value] }));
