import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { CSV_TYPE, XLSX_TYPE } from '@tapeline/domain/files/file-types.ts';
import { currencySchema } from '@tapeline/domain/money/amount.schema.ts';
import { isDecimal } from '@tapeline/domain/money/decimal.ts';
import { isCurrencyCode } from '@tapeline/domain/money/minor-units.ts';
import { attachmentSchema, MAX_PROPOSED_FILES } from '@tapeline/domain/tapes/tape.schema.ts';
import { z } from 'zod';
import { describeForm } from '../../../components/forms/describe-form.ts';
import { quickCompanySchema } from '../../../components/organizations/quick-company.ts';

const chosen = (message: string) => z.string({ error: message }).min(1, message);

/** One rate per line: "EUR 0.92", the units of the currency that one US dollar buys. */
const ratesText = z
  .string()
  .optional()
  .transform((text, context): Record<string, string> | undefined => {
    const lines = (text ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    if (lines.length === 0) return undefined;
    const rates: Record<string, string> = {};
    for (const line of lines) {
      const [code = '', rate = '', ...rest] = line.split(/[\s:=]+/);
      const currency = code.toUpperCase();
      const isRate = isDecimal(rate) && !rate.startsWith('-') && /[1-9]/.test(rate);
      if (!isCurrencyCode(currency) || !isRate || rest.length > 0) {
        context.addIssue({ code: 'custom', message: `"${line}" is not a rate; enter one per line, such as EUR 0.92` });
        return z.NEVER;
      }
      rates[currency] = rate;
    }
    return rates;
  });

/** The choice of a borrower that is created with the tape. */
export const NEW_COMPANY = 'new';
/** The choice of the mapping that is suggested from the file. */
export const SUGGESTED = 'suggested';

const optionalText = (max: number, message: string) => z.string().max(max, message).optional();

/** One file of the upload, with what is proposed or entered for it. */
const tapeFormSchema = z
  .object({
    fileId: z.string().max(100),
    key: z.string().min(1).max(1024),
    name: z.string().min(1).max(255),
    companyId: chosen('Choose a borrower'),
    newCompany: z.looseObject({}).optional(),
    cutOffDate: z.string({ error: 'Choose a cut-off date' }).pipe(calendarDateSchema),
    /** Blank is the company's. */
    mainCurrency: z.preprocess((value) => (value === '' ? undefined : value), currencySchema.optional()),
    sheetName: optionalText(255, 'A sheet name has at most 255 characters'),
    /** A mapping of the company, or the one that is suggested; blank is the company's current one. */
    mapping: optionalText(100, 'Choose a mapping'),
    /** `ProposedRules` as JSON. */
    proposed: z.string().max(4_000_000),
    /** `KeptLatest` as JSON, if the file has the latest rows of another one. */
    latest: z.string().max(20_000).optional(),
    /** The suggested columns that are mapped, by their index. */
    use: z.preprocess(
      (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]),
      z.array(z.coerce.number().int().min(0).max(1_000)).max(1_000),
    ),
  })
  .superRefine(({ companyId, newCompany, mapping, use }, context) => {
    if (companyId === NEW_COMPANY) {
      const read = quickCompanySchema.safeParse({ newCompany: newCompany ?? {} });
      for (const { message, path } of read.error?.issues ?? []) context.addIssue({ code: 'custom', message, path });
    }
    if (mapping === SUGGESTED && use.length === 0) {
      context.addIssue({ code: 'custom', message: 'Choose at least one column', path: ['mapping'] });
    }
  });
export type TapeForm = z.output<typeof tapeFormSchema>;

/** The files that a person has just uploaded. */
export const filesFormSchema = z.object({
  company: z.string().optional(),
  /** Files sent with the form that were refused before any other validation, each with its reason. */
  refused: z
    .array(z.string())
    .max(0, { error: (issue) => (issue.input as string[]).join('\n') })
    .optional(),
  attachments: z
    .array(attachmentSchema, { error: 'Choose at least one file' })
    .min(1, 'Choose at least one file')
    .max(MAX_PROPOSED_FILES, `At most ${MAX_PROPOSED_FILES} files at once`),
});
export const filesFormDescription = describeForm(filesFormSchema);

/** The upload form: files with what is proposed for each, and what they have in common. */
export const uploadFormSchema = z.object({
  tapes: z.array(tapeFormSchema).min(1, 'Choose at least one file').max(MAX_PROPOSED_FILES),
  calculateBB: z
    .literal('on')
    .optional()
    .transform((value) => value === 'on'),
  exchangeRates: ratesText,
  refused: filesFormSchema.shape.refused,
  /** Documents that are kept with each tape and not read. */
  otherAttachments: z.array(attachmentSchema).max(50, 'At most 50 documents at once').default([]),
});
export const uploadFormDescription = describeForm(uploadFormSchema);

/** The types offered by the file picker. The actual type is detected from the file's content. */
export const TAPE_FILE_TYPES = `.xlsx,.csv,${XLSX_TYPE},${CSV_TYPE}`;
