import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { BASE_RATES } from '@tapeline/domain/facilities/terms.schema.ts';
import { MAX_CSV_CHARACTERS, readFixings } from '@tapeline/domain/tables/fixings-csv.ts';
import { fixingRateSchema, MAX_LIST_VALUES, tableCreateSchema } from '@tapeline/domain/tables/table.schema.ts';
import { z } from 'zod';
import { versionField } from '../../components/forms/version-field.ts';

const MAX_TITLE = 150;
const MAX_TEXT = 2_000_000;

/** One value per line, without blank lines. */
const linesSchema = z
  .string()
  .max(MAX_TEXT, { message: 'This is too long' })
  .transform((text, context) => {
    const lines = text.split(/\r\n|\n|\r/).flatMap((line, index) => {
      const title = line.trim();
      return title === '' ? [] : [{ title, number: index + 1 }];
    });
    for (const { title, number } of lines) {
      if (title.length > MAX_TITLE)
        context.addIssue({ code: 'custom', message: `Line ${number}: at most ${MAX_TITLE} characters` });
    }
    if (lines.length > MAX_LIST_VALUES)
      context.addIssue({ code: 'custom', message: `At most ${MAX_LIST_VALUES} values` });
    return lines.map(({ title }) => title);
  });

const { name } = tableCreateSchema.shape;
const tableVersion = versionField;

export const newTableSchema = z.object({ name, values: linesSchema.optional() });

export const renameSchema = z.object({ name, tableVersion });
export const addValuesSchema = z.object({
  values: linesSchema.refine((lines) => lines.length > 0, { message: 'Enter at least one value' }),
  tableVersion,
});
export const valueSchema = z.object({ title: z.string().min(1).max(MAX_TITLE), tableVersion });
export const removeTableSchema = z.object({ tableVersion, confirmed: z.literal('yes').optional() });

export const fixingSchema = z.object({
  title: z.enum(BASE_RATES),
  date: calendarDateSchema,
  rate: fixingRateSchema,
  tableVersion,
});

export const removeFixingSchema = z.object({ title: z.enum(BASE_RATES), date: calendarDateSchema, tableVersion });

/** Bytes of a file with fixings: up to four for each character. */
export const MAX_FILE_BYTES = 4 * MAX_CSV_CHARACTERS;

/** The form of an import: text or a file. The server reads the text of the file, and then checks its lines. */
export const importFormSchema = z.object({ fixings: z.string().optional(), file: z.any().optional() });

export const importSchema = z.object({
  fixings: z
    .string('Paste fixings, or choose a file')
    .min(1, { message: 'Paste fixings, or choose a file' })
    .transform((text, context) => {
      const read = readFixings(text);
      if (read.ok) return read.fixings;
      for (const { line, message } of read.errors)
        context.addIssue({ code: 'custom', message: `Line ${line} ${message}` });
      const more = read.errorCount - read.errors.length;
      if (more > 0) context.addIssue({ code: 'custom', message: `${more} more lines have errors` });
      return z.NEVER;
    }),
  tableVersion,
});
