/** Why rows are errors or have warnings, for programs. */
export const CHECK_CODES = [
  /** A field that is Mandatory has no value. */
  'missing',
  /** A step cannot read or convert what it is given. */
  'notConverted',
  /** A validation of the rule fails. */
  'validation',
  'notUnique',
  /** Unlike the company's earlier tape. */
  'notConsistent',
  /** The row has more fields than the header. */
  'misfit',
  /** A warning: the value is outside the plausible range of its field. */
  'implausible',
  /** A warning: the field stays empty because its cell cannot be read. */
  'unread',
] as const;
export type CheckCode = (typeof CHECK_CODES)[number];
