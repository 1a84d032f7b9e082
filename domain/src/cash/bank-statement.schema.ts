import { z } from 'zod';
import { calendarDateSchema } from '../dates/calendar-date.ts';
import { documentSchema } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { wireAmountSchema } from '../money/amount.schema.ts';
import { attachmentSchema } from '../tapes/tape.schema.ts';
import { STATEMENT_FORMATS } from './bank-statement.ts';
import { csvMappingSchema } from './statements/csv-mapping.schema.ts';

/** The body that imports a file of statements. */
export const statementImportSchema = z.object({
  attachment: attachmentSchema.meta({
    description: 'The uploaded file, as POST /files/signedUrls/bankStatements returned its metadata',
  }),
  bankAccount: idSchema.nullish().meta({ description: 'Of a CSV file, which does not name its account' }),
  csvMapping: csvMappingSchema.nullish().meta({
    description: 'How a CSV file is read. It is remembered for the account; left out, the remembered one is used',
  }),
});
export type StatementImport = z.output<typeof statementImportSchema>;

const balanceSchema = z.object({ date: calendarDateSchema, amount: wireAmountSchema }).nullable();

/** A statement as the API returns it. */
export const bankStatementSchema = documentSchema
  .extend({
    bankAccount: z.object({ id: z.string(), title: z.string(), accountNumber: z.string() }),
    format: z.enum(STATEMENT_FORMATS),
    number: z.string(),
    from: calendarDateSchema.nullable(),
    to: calendarDateSchema,
    opening: balanceSchema,
    closing: balanceSchema,
    lineCount: z.int(),
    gap: z
      .object({ after: z.string(), amount: wireAmountSchema })
      .nullable()
      .meta({ description: 'What is missing between the statement before and this one; null if nothing is' }),
    fileName: z.string(),
  })
  .meta({ id: 'BankStatement' });

export const statementLineSchema = z
  .object({
    payment: z.string().nullable().meta({ description: 'Null for a line of zero' }),
    reference: z.string(),
    bookedOn: calendarDateSchema,
    valuedOn: calendarDateSchema,
    amount: wireAmountSchema.meta({ description: 'Positive came in, negative went out' }),
    original: wireAmountSchema.nullable(),
    counterpartyName: z.string().nullable(),
    counterpartyAccount: z.string().nullable(),
    remittance: z.string(),
    endToEndId: z.string().nullable(),
    returnReason: z.string().nullable(),
  })
  .meta({ id: 'BankStatementLine' });

export const statementWithLinesSchema = bankStatementSchema.extend({ lines: z.array(statementLineSchema) });

/** What came of a file: of each of its statements. */
export const importedStatementsSchema = z.array(
  bankStatementSchema.extend({
    isNew: z.boolean().meta({ description: 'False for a statement that was imported before: it adds nothing' }),
    added: z.int().meta({ description: 'Lines that became payments' }),
    known: z.int().meta({ description: 'Lines whose payments were recorded before' }),
  }),
);
