import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { currencySchema } from '@tapeline/domain/money/amount.schema.ts';
import { isCurrencyCode } from '@tapeline/domain/money/currencies.ts';
import { isDecimal } from '@tapeline/domain/money/decimal.ts';
import { attachmentSchema, type TapeUpload } from '@tapeline/domain/tapes/tape.schema.ts';
import { z } from 'zod';

const chosen = (message: string) => z.string({ error: message }).min(1, message);

/** One rate a line: "EUR 0.92", units of the currency that one US dollar buys. */
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
        context.addIssue({ code: 'custom', message: `"${line}" is not a rate; write one a line, like EUR 0.92` });
        return z.NEVER;
      }
      rates[currency] = rate;
    }
    return rates;
  });

/** The upload form: as the REST call takes it, in the words of a form. */
export const uploadFormSchema = z.object({
  companyId: chosen('Choose the company'),
  cutOffDate: z.string({ error: 'Choose the cut-off date' }).pipe(calendarDateSchema),
  mainCurrency: z.string({ error: 'Choose the currency' }).pipe(currencySchema),
  sheetName: z.string().max(31, 'A sheet name has at most 31 characters').optional(),
  assetsETL: z.string().optional(),
  calculateBB: z
    .literal('on')
    .optional()
    .transform((value) => value === 'on'),
  exchangeRates: ratesText,
  /** Files that came with the form and were refused before anything else was looked at, each with its reason. */
  refused: z
    .array(z.string())
    .max(0, { error: (issue) => (issue.input as string[]).join('\n') })
    .optional(),
  attachments: z.array(attachmentSchema).min(1, 'Choose at least one file').max(50, 'At most 50 files at once'),
});

/** The command that scheduling takes. */
export const toUpload = ({ refused, ...form }: z.output<typeof uploadFormSchema>): TapeUpload => ({
  ...form,
  otherAttachments: [],
});

/** What the file picker offers; what a file really is is read from its content. */
export const TAPE_FILE_TYPES = '.xlsx,.csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet,text/csv';

const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The media type to announce a file as: by its name, since browsers differ in what they say of a .csv. */
export function typeOfFile(name: string, announced: string): string {
  const ending = name.toLowerCase().split('.').at(-1);
  if (ending === 'xlsx') return XLSX_TYPE;
  if (ending === 'csv') return 'text/csv';
  return announced || 'application/octet-stream';
}
