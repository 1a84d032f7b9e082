import { z } from 'zod';
import { type CalendarDate, calendarDateSchema } from '../dates/calendar-date.ts';
import { currencySchema, decimalSchema } from '../money/amount.schema.ts';
import type { DecimalText } from '../money/decimal.ts';
import { sheetNameSchema } from './rule.schema.ts';

export const SCHEDULER_STATUSES = ['Processing', 'Completed'] as const;
export type SchedulerStatus = (typeof SCHEDULER_STATUSES)[number];
export const PROCESS_STATUSES = ['Pending', 'Processing', 'Completed'] as const;
export type ProcessStatus = (typeof PROCESS_STATUSES)[number];

/** Rows of a tape. Blank rows are not data rows, and are counted apart. */
export const tapeCountsSchema = z.object({
  dataRows: z.int().min(0),
  assets: z.int().min(0),
  errored: z.int().min(0),
  discarded: z.int().min(0),
  blankRows: z.int().min(0),
});
export type TapeCounts = z.infer<typeof tapeCountsSchema>;

/** Nothing is dropped: assets + errored + discarded = data rows. */
export const countsAddUp = (counts: TapeCounts): boolean =>
  counts.assets + counts.errored + counts.discarded === counts.dataRows;

const idSchema = z.string().regex(/^[0-9a-fA-F]{24}$/, 'Ids are exactly 24 characters');

/** What a signed upload answered, sent back; the file is looked up in the registry by its key, never by a URL. */
export const attachmentSchema = z
  .object({
    bucket: z.string().min(1).optional(),
    key: z.string().min(1, 'is required').max(1024),
    name: z.string().min(1).max(255).optional(),
    size: z.number().min(0).optional(),
    type: z.string().max(255).optional(),
    checksum: z.string().max(255).nullish(),
    signedUrl: z.string().nullish(),
  })
  .meta({ description: 'File metadata of an uploaded object' });
export type Attachment = z.infer<typeof attachmentSchema>;

/** Units of each currency that one US dollar buys. */
export const exchangeRatesSchema = z.record(
  currencySchema,
  decimalSchema.refine((rate) => !rate.startsWith('-') && /[1-9]/.test(rate), { message: 'A rate is above zero' }),
);

const uploadShape = {
  cutOffDate: calendarDateSchema,
  companyId: idSchema,
  sheetName: sheetNameSchema.optional(),
  /** The mapping to use; left out, the company's latest. */
  assetsETL: idSchema.optional(),
  exchangeRates: exchangeRatesSchema.optional(),
};

/** One tape of one file. */
export const tapeCreateSchema = z.object({
  ...uploadShape,
  attachment: attachmentSchema,
  /** Kept with the tape, never read. */
  otherAttachments: z.array(attachmentSchema).max(50).default([]),
});
export type TapeCreate = z.infer<typeof tapeCreateSchema>;

/** POST /files/loanTapeScheduler: a tape for each attachment. */
export const tapeUploadSchema = z.object({
  ...uploadShape,
  /** Calculate the borrowing base once all assets have processed. */
  calculateBB: z.boolean().default(false),
  attachments: z.array(attachmentSchema).min(1, 'At least 1 attachment is required').max(50),
  otherAttachments: z.array(attachmentSchema).max(50).default([]),
  mainCurrency: currencySchema,
});
export type TapeUpload = z.infer<typeof tapeUploadSchema>;

export interface TapeUploadResult {
  readonly uploadedCount: number;
  readonly errors: readonly { readonly attachment: string; readonly message: string }[];
  readonly loanTapes: readonly { readonly id: string; readonly workflowId: string }[];
}

/** Rows per staged batch of a tape. */
export const BATCH_ROWS = 100_000;

/** What a tape's figures are made with, besides its rows. */
export interface TapeFacts {
  readonly cutOffDate: CalendarDate;
  /** Currency of amounts that name none. */
  readonly primaryCurrency: string;
}

/** Why a row is not an asset: one rule's reason. `rule` counts from 1, as screens do. */
export interface CellFault {
  readonly rule: number;
  /** The header, or null for a computed column. */
  readonly column: string | null;
  readonly target: string;
  /** The cell as a person would see it. */
  readonly value: string | null;
  readonly reason: string;
}

/** A row that is not an asset, as stored and listed. */
export interface ErroredRow {
  /** 1-based row number of the sheet. */
  readonly row: number;
  /** Header to cell as read: number, text, true or false, null where blank, '#N/A' and kin as text. */
  readonly origin: Readonly<Record<string, string | number | boolean | null>>;
  readonly errors: readonly CellFault[];
}

/** The errors of a row in one line: `Balance: "abc" is not a number; loan_id: is missing`. */
export function summarizeFaults(errors: readonly CellFault[]): string {
  return errors.map((fault) => `${fault.column ?? fault.target}: ${fault.reason}`).join('; ');
}

/** Statistics of a tape: how many assets of each status, and sums by status and currency. */
export interface AssetStatistics {
  readonly assetsStatuses: readonly { readonly name: string; readonly value: number }[];
  readonly sum: readonly { readonly name: string; readonly amount: { sum: DecimalText; currency: string } }[];
  readonly outstandingSum: readonly {
    readonly name: string;
    readonly amount: { sum: DecimalText; currency: string };
  }[];
}
