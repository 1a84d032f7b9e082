const MONTH =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const YEAR = '(?:19|20)\\d\\d';
const BETWEEN = "[ ._'/-]*";
/**
 * The part of a sheet's name that is a month, a quarter or a day: `Oct-24`, `October 2024`, `2024-10-31`, `10.24`,
 * `202410`, `Q3 2024`.
 */
const DATE = new RegExp(
  [
    `(?<![a-z])(?:\\d{1,2}(?:st|nd|rd|th)?${BETWEEN})?(?:${MONTH})(?![a-z])(?:${BETWEEN}\\d{1,2}(?:st|nd|rd|th)?(?!\\d),?)?(?:${BETWEEN}(?:${YEAR}|\\d\\d)(?!\\d))?`,
    `(?<!\\d)${YEAR}(?:0[1-9]|1[0-2])(?:[0-2]\\d|3[01])?(?!\\d)`,
    `(?<!\\d)${YEAR}[ ._/-](?:0?[1-9]|1[0-2])(?:[ ._/-][0-3]?\\d)?(?!\\d)`,
    `(?<!\\d)(?:[0-3]?\\d[ ._/-])?[0-3]?\\d[ ._/-](?:${YEAR}|\\d\\d)(?!\\d)`,
    `(?<![a-z0-9])q[1-4](?!\\d)(?:${BETWEEN}(?:${YEAR}|\\d\\d)(?!\\d))?`,
    `(?<!\\d)${YEAR}${BETWEEN}q[1-4](?!\\d)`,
    `(?<!\\d)${YEAR}(?!\\d)`,
  ].join('|'),
  'gi',
);

/** A sheet's name without its date; null if it has none. */
function nameWithoutDate(name: string): string | null {
  const rest = name.toLowerCase().replace(DATE, ' ');
  return rest === name.toLowerCase() ? null : rest.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

/**
 * The only sheet whose name differs from the wanted one just by its date ("Nov-24 Loans" for "Oct-24 Loans"). Null if
 * there is none, or more than one.
 */
export function sheetWithOtherDate(wanted: string, sheets: readonly string[]): string | null {
  const rest = nameWithoutDate(wanted);
  if (rest === null) return null;
  const alike = sheets.filter((sheet) => nameWithoutDate(sheet) === rest);
  return alike.length === 1 ? (alike[0] ?? null) : null;
}
