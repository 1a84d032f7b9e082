import { z } from 'zod';
import { anyDateSchema } from '../dates/calendar-date.ts';
import { type Labels, valuesOf } from '../documents/labels.ts';
import { serializationSchema } from './serialization.schema.ts';

export const CHECKS = ['Mandatory', 'Unique', 'Temporary', 'Consistent'] as const;
export type Check = (typeof CHECKS)[number];

/** What each check does, after its name. */
export const CHECK_WORDS: Labels<Check> = {
  Mandatory: 'a missing value is an error',
  Unique: 'duplicate values after the first are errors',
  Temporary: 'available to later rules only, not stored',
  Consistent: 'must equal the asset’s value on the previous tape',
};

/** What a cell costs that a rule cannot read, or cannot convert. */
export const ON_UNREADABLE_LABELS = {
  error: 'The row becomes an errored asset',
  empty: 'The field stays empty, with a warning',
} as const;

/** What a value costs that an earlier row of the tape has, in a rule that is checked as Unique. */
export const ON_DUPLICATE_LABELS = {
  error: 'The later row becomes an errored asset',
  numbered: 'The later value gets the number of its occurrence',
} as const;

const textValidation = (kind: 'notContains' | 'mustContains') =>
  z.strictObject({ kind: z.literal(kind), value: z.string().min(1, 'Enter the text').max(1000) });
const numberValidation = (kind: 'minNumber' | 'maxNumber') =>
  z.strictObject({ kind: z.literal(kind), value: z.number() });
const dateValidation = (kind: 'minDate' | 'maxDate') => z.strictObject({ kind: z.literal(kind), value: anyDateSchema });
const lengthValidation = (kind: 'minLength' | 'maxLength') =>
  z.strictObject({ kind: z.literal(kind), value: z.int().min(0).max(100_000) });

/** An inclusive bound on a rule's result. A missing result is skipped (use the Mandatory check for that). */
export const validationSchema = z.discriminatedUnion('kind', [
  numberValidation('minNumber'),
  numberValidation('maxNumber'),
  dateValidation('minDate'),
  dateValidation('maxDate'),
  textValidation('notContains'),
  textValidation('mustContains'),
  z.strictObject({ kind: z.literal('mustBeTrue') }),
  z.strictObject({ kind: z.literal('mustBeFalse') }),
  lengthValidation('minLength'),
  lengthValidation('maxLength'),
]);
export type Validation = z.infer<typeof validationSchema>;
export type ValidationKind = Validation['kind'];

/** Maps one column of the tape (or a computed one) to one field of the target schema. */
export const mappingRuleSchema = z.strictObject({
  /** A header of the tape; omitted, null or empty for a computed column. */
  originCol: z
    .string()
    .max(500)
    .nullish()
    .transform((header) => (header === undefined || header === null || header.trim() === '' ? null : header)),
  targetCol: z
    .string()
    .min(2, 'targetCol needs at least 2 characters')
    .max(200)
    .refine((name) => name.trim() === name, { message: 'targetCol cannot begin or end with a space' }),
  checks: z.array(z.enum(CHECKS)).max(CHECKS.length).default([]),
  serializations: z
    .array(serializationSchema)
    .min(1, 'A rule needs at least one serialization step')
    .max(50, 'A rule takes at most 50 serialization steps'),
  validations: z.array(validationSchema).max(50).default([]),
  /** Also keep the cell as read, as a custom text field named after its header. */
  remainOriginCol: z.boolean().default(false),
  /** Rules run in this order (ties: as listed). If omitted, the position in the list is used. */
  sequence: z.number().optional(),
  onUnreadable: z.enum(valuesOf(ON_UNREADABLE_LABELS)).optional().meta({
    description:
      'What a cell costs that cannot be read or converted. error (also if omitted): the row becomes an errored asset. empty: the field stays empty, with a warning that is counted and listed; what is Mandatory is an error all the same. The warning of a Temporary result belongs to the fields that stay empty because of it',
  }),
  onDuplicate: z.enum(valuesOf(ON_DUPLICATE_LABELS)).optional().meta({
    description:
      'With the Unique check of a text: what a value costs that an earlier row of the tape has. error (also if omitted): the later row becomes an errored asset that names the earlier row. numbered: the later rows keep the value with the number of its occurrence, such as `Acme / 2500 (2)`, in the order of the sheet',
  }),
});
export type MappingRule = z.infer<typeof mappingRuleSchema>;
export type RuleInput = z.input<typeof mappingRuleSchema>;

/** Whether a cell that the rule cannot read leaves its result empty. */
export const leavesEmpty = ({ checks = [], onUnreadable }: Pick<RuleInput, 'checks' | 'onUnreadable'>): boolean =>
  onUnreadable === 'empty' && !checks.includes('Mandatory');

export const rulesSchema = z
  .array(mappingRuleSchema)
  .min(1, 'A mapping needs at least one rule')
  .max(300, 'A mapping takes at most 300 rules');

export const sheetNameSchema = z.string().min(1, 'Enter the name of the sheet').max(255);
