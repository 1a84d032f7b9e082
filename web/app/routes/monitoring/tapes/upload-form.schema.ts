import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { CSV_TYPE, XLSX_TYPE } from '@tapeline/domain/files/file-types.ts';
import { currencySchema } from '@tapeline/domain/money/amount.schema.ts';
import { isCurrencyCode } from '@tapeline/domain/money/currencies.ts';
import { isDecimal } from '@tapeline/domain/money/decimal.ts';
import { attachmentSchema, type TapeUpload } from '@tapeline/domain/tapes/tape.schema.ts';
import { z } from 'zod';

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

/** The upload form: the input of the REST call, with form field names. */
export const uploadFormSchema = z.object({
  companyId: chosen('Choose a company'),
  cutOffDate: z.string({ error: 'Choose a cut-off date' }).pipe(calendarDateSchema),
  /** Blank is the company's. */
  mainCurrency: z.preprocess((value) => (value === '' ? undefined : value), currencySchema.optional()),
  sheetName: z.string().max(31, 'A sheet name has at most 31 characters').optional(),
  assetsETL: z.string().optional(),
  calculateBB: z
    .literal('on')
    .optional()
    .transform((value) => value === 'on'),
  exchangeRates: ratesText,
  /** Files sent with the form that were refused before any other validation, each with its reason. */
  refused: z
    .array(z.string())
    .max(0, { error: (issue) => (issue.input as string[]).join('\n') })
    .optional(),
  attachments: z.array(attachmentSchema).min(1, 'Choose at least one file').max(50, 'At most 50 files at once'),
  /** Documents that are kept with each tape and not read. */
  otherAttachments: z.array(attachmentSchema).max(50, 'At most 50 documents at once').default([]),
});

/** The input of the scheduling command. */
export const toUpload = ({ refused, ...form }: z.output<typeof uploadFormSchema>): TapeUpload => ({
  ...form,
  again: false,
  onDoubt: 'ask',
});

/** The types offered by the file picker. The actual type is detected from the file's content. */
export const TAPE_FILE_TYPES = `.xlsx,.csv,${XLSX_TYPE},${CSV_TYPE}`;
