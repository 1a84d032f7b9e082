import { continuesName, REQUIRED } from './required.ts';

/** The second message of the specification for calls that come too soon. */
export const TOO_FREQUENT = 'Slow down, you have tried to access this resource too frequent';

/** "40 seconds", "1 minute", "12 minutes": rounded up, so that waiting that long is always enough. */
export function waitInWords(seconds: number): string {
  if (seconds < 60) return seconds <= 1 ? '1 second' : `${Math.ceil(seconds)} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** "12.50 more" and "12.50 less", of a difference. */
export const moreOrLess = (difference: string): string =>
  difference.startsWith('-') ? `${difference.slice(1)} less` : `${difference} more`;

/**
 * The texts of reasons that a program must tell apart, each written once, beside its code. A text continues the name of
 * its field: "is required". Programs read the code and the data, never the text: rewording one changes nothing else.
 * A reason that no program asks for needs no code: it is a plain text where something is refused.
 */
export const REASON_TEXTS = {
  /** Any reason without a code of its own. */
  other: ({ text }: { text: string }) => text,
  required: () => REQUIRED,
  /** An amount below zero where none can be. */
  atLeastZero: () => 'must be at least 0',
  /** An amount that is not above zero. */
  aboveZero: () => 'must be above 0',
  /** An amount of a fund's document in another currency. */
  fundCurrency: ({ currency }: { currency: string }) => `must be in ${currency}, the currency of the fund`,
  /** The class is none of the fund's. */
  unknownClass: ({ keys, fund }: { keys: readonly string[]; fund: string }) =>
    `must be one of ${keys.join(', ')}, the classes of ${fund}`,
  /** A name that is not exactly the name of one document. A person says which is meant. */
  uncertainName: ({ noun }: { noun: string }) => `is not exactly the name of ${noun}. Choose which one it is`,
  /** A text that several documents are called, as a code or a name. */
  severalNamed: ({ noun }: { noun: string }) => `is the name or code of more than one ${noun}. Choose which one it is`,
  /** A class is named, and the fund has none. */
  noClasses: ({ fund }: { fund: string }) => `must be empty: ${fund} has no classes`,
  /** The name of no role that the manager has. */
  unknownRole: ({ roles }: { roles: readonly string[] }) => `must be the name of a role: ${roles.join(', ')}`,
  /** A total that differs from the sum of its parts. @param data.parts what is added up, in words */
  notTheSum: ({ total, parts, difference }: { total: string; parts: string; difference?: string }) =>
    `must be ${total}, ${parts}${difference === undefined ? '' : `: the file has ${moreOrLess(difference)}`}`,
  noCommitment: () => 'has no commitment to this fund',
  draftCommitment: () => 'has a commitment to this fund that is a draft. Make it Active first',
  /** Who prepared it cannot issue it. */
  secondPerson: () => 'needs a second person',
  emailTaken: () => 'is already used by another user',
  codeTaken: () => 'is already the code of another record',
  numberTaken: ({ noun }: { noun: string }) => `is the number of another ${noun} of this fund`,
  navTaken: () => 'already has a NAV of this investor',
  commitmentTaken: () => 'already has a commitment to this fund and class',
  /** A change of a commitment before its closing. */
  beforeClosing: () => 'must not be before the closing date',
  /** Nobody has the email that an identity provider confirmed. */
  noAccount: () => 'has no account',
  noBucket: ({ bucket }: { bucket: string }) =>
    `The object storage has no bucket ${bucket}. Create it, or correct S3_BUCKET.`,
  /** The same call is accepted again after this many seconds. */
  tooSoon: ({ seconds }: { seconds: number }) => `${TOO_FREQUENT}. Try again in ${waitInWords(seconds)}.`,
  /** A file of bank statements that is not read. @param data.problem what kind of problem it is */
  statementFile: ({ text }: { problem: string; text: string }) => text,
  imageTooLarge: () => 'An image has at most 512 KB',
  /** A problem of one rule of a mapping. @param data.rule names the rule and the step; `text` is what is wrong with it */
  mappingRule: ({ rule, text }: { rule: string; text: string }) => `${rule}: ${text}`,
} as const;

export type ReasonCode = keyof typeof REASON_TEXTS;

type DataOf<Code extends ReasonCode> = Parameters<(typeof REASON_TEXTS)[Code]>;
type ReasonOf<Code extends ReasonCode> = {
  [Each in Code]: { readonly code: Each } & (DataOf<Each> extends [infer Data]
    ? { readonly data: Data }
    : { readonly data?: undefined });
}[Code];

/** Why something is refused, for programs: a code and the values that its text names, as JSON. */
export type Reason = ReasonOf<ReasonCode>;

/** A reason with its code, or the text of one that no program asks for. */
export type Why = Reason | string;

export const reason = <Code extends ReasonCode>(code: Code, ...[data]: DataOf<Code>): ReasonOf<Code> =>
  (data === undefined ? { code } : { code, data }) as ReasonOf<Code>;

/** The text for people. All texts of refusals are made here. */
export function textOf(why: Why): string {
  if (typeof why === 'string') return REASON_TEXTS.other({ text: why });
  return (REASON_TEXTS[why.code] as (data: unknown) => string)(why.data);
}

export const asReason = (why: Why): Reason => (typeof why === 'string' ? reason('other', { text: why }) : why);

/** The reason of a rule that a schema checks: `.refine(check, because(reason('aboveZero')))`. */
export const because = (why: Reason) => ({ message: textOf(why), params: { reason: why } });

/** The reason of an issue of a schema. */
export const reasonOfIssue = (issue: { readonly message: string; readonly params?: unknown }): Reason => {
  const { reason: given } = (issue.params ?? {}) as { readonly reason?: Reason };
  return given ?? asReason(issue.message);
};

/** A sentence that names the field: "title is required", "amount.sum: Enter a number". */
export function sentenceOf(path: string, text: string): string {
  if (continuesName(text)) return `${path || 'The request'} ${text}`;
  return path === '' ? text : `${path}: ${text}`;
}
