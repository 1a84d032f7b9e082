const MONTH =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const YEAR = '(?:19|20)\\d\\d';
const BETWEEN = "[ ._'/-]*";
/** What of a sheet's name says a month, a quarter or a day: `Oct-24`, `October 2024`, `2024-10-31`, `10.24`, `202410`, `Q3 2024`. */
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

/** A sheet's name without its date; null where it has none. */
function nameBesideDate(name: string): string | null {
  const beside = name.toLowerCase().replace(DATE, ' ');
  return beside === name.toLowerCase() ? null : beside.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

/**
 * The sheet that a mapping's sheet is called this month: the only one whose name differs from it by its date alone
 * ("Nov-24 Tape" for "Oct-24 Tape"). Null where there is none, or more than one.
 */
export function sheetOfAnotherMonth(wanted: string, sheets: readonly string[]): string | null {
  const beside = nameBesideDate(wanted);
  if (beside === null) return null;
  const alike = sheets.filter((sheet) => nameBesideDate(sheet) === beside);
  return alike.length === 1 ? (alike[0] ?? null) : null;
}
