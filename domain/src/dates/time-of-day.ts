/**
 * A time of day as tapes write it after a date, as the source of a regular expression that JavaScript and RE2 interpret
 * alike: `22:00`, `23:59:59.123`, `10:00 PM`, `00:00:00Z`, `08:15:00 +02:00`. With anything else after it a text is not
 * a date: a range of two dates is not the first of them.
 */
export const TIME_OF_DAY =
  '[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?(?: ?[AaPp][.]?[Mm][.]?)?(?: ?(?:Z|UTC|GMT|[+-][0-9]{2}(?::?[0-9]{2})?))?';
