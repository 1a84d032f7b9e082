/** The fields of a form and their values, as a form posts them: `callPurposes[0].title`. Empty ones are left out. */
function enteredFields(value: unknown, name = ''): [name: string, value: string][] {
  if (value === undefined || value === null || value === '' || value === false) return [];
  // As a checkbox that is checked.
  if (value === true) return [[name, 'on']];
  if (Array.isArray(value)) return value.flatMap((one, index) => enteredFields(one, `${name}[${index}]`));
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([key, one]) => enteredFields(one, name === '' ? key : `${name}.${key}`));
  }
  return [[name, String(value)]];
}

/** What was entered, sent along with a review of it. */
export function EnteredValues({ of }: { of: unknown }) {
  return (
    <>
      {enteredFields(of).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}
