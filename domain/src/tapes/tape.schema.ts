import { z } from 'zod';
import { type CalendarDate, calendarDateSchema } from '../dates/calendar-date.ts';
import { idSchema } from '../documents/id.schema.ts';
import { REQUIRED } from '../errors/required.ts';
import { currencySchema, decimalSchema } from '../money/amount.schema.ts';
import type { DecimalText } from '../money/decimal.ts';
import { sheetNameSchema } from './rule.schema.ts';
import { sheetFactsSchema } from './sheet-facts.schema.ts';
import type { TapeQuestion } from './tape-questions.schema.ts';

export const SCHEDULER_STATUSES = ['Processing', 'Completed'] as const;
export type SchedulerStatus = (typeof SCHEDULER_STATUSES)[number];
export const PROCESS_STATUSES = ['Pending', 'Processing', 'Completed'] as const;
export type ProcessStatus = (typeof PROCESS_STATUSES)[number];

/** Row counts of a tape. Blank rows are not data rows and are counted separately. */
export const tapeCountsSchema = z.object({
  dataRows: z.int().min(0),
  assets: z.int().min(0),
  errored: z.int().min(0),
  discarded: z.int().min(0),
  blankRows: z.int().min(0),
  /** Omitted if nothing was found. */
  sheet: sheetFactsSchema.optional(),
});
export type TapeCounts = z.infer<typeof tapeCountsSchema>;

/** No row is dropped: assets + errored + discarded = data rows. */
export const countsAddUp = (counts: TapeCounts): boolean =>
  counts.assets + counts.errored + counts.discarded === counts.dataRows;

/** The response of a signed upload, sent back. The file is looked up in the registry by its key, never by a URL. */
export const attachmentSchema = z
  .object({
    bucket: z.string().min(1).max(100).optional(),
    key: z.string().min(1, REQUIRED).max(1024),
    name: z.string().min(1).max(255).optional(),
    size: z.number().min(0).optional(),
    type: z.string().max(255).optional(),
    checksum: z.string().max(255).nullish(),
    signedUrl: z.string().max(8192).nullish(),
  })
  .meta({ description: 'File metadata of an uploaded object' });
export type Attachment = z.infer<typeof attachmentSchema>;

/** Units of each currency that one US dollar buys. */
export const exchangeRatesSchema = z.record(
  currencySchema,
  decimalSchema.refine((rate) => !rate.startsWith('-') && /[1-9]/.test(rate), { message: 'A rate is above zero' }),
);

/** Maximum number of files that are proposed for at once: each is read while a person waits. */
export const MAX_PROPOSED_FILES = 20;

/** Whether a tape that is in doubt is published, or a person is asked first. */
export const ON_DOUBT = ['publish', 'ask'] as const;
export type OnDoubt = (typeof ON_DOUBT)[number];

/** POST /files/loanTapeScheduler: creates a tape for each attachment. */
export const tapeUploadSchema = z.object({
  cutOffDate: calendarDateSchema,
  companyId: idSchema,
  sheetName: sheetNameSchema.optional(),
  /** The mapping to use; if omitted, the company's latest. */
  assetsETL: idSchema.optional(),
  exchangeRates: exchangeRatesSchema.optional(),
  /** Calculate the borrowing base once all assets have processed. */
  calculateBB: z.boolean().default(false),
  attachments: z.array(attachmentSchema).min(1, 'At least 1 attachment is required').max(50),
  otherAttachments: z.array(attachmentSchema).max(50).default([]),
  mainCurrency: currencySchema
    .optional()
    .meta({ description: 'The currency in which the tape is reported. That of the company if omitted' }),
  again: z.boolean().default(false).meta({
    description:
      'Make another tape although one of the same file, company, cut-off date, sheet and mapping is being processed, waits for answers or is published. Otherwise the call answers that tape, with a warning that names what else differs',
  }),
  onDoubt: z.enum(ON_DOUBT).default('publish').meta({
    description:
      'What happens if file, company, mapping and tape name several currencies, or if the pool is less than half or at least twice that of the previous tape. ask: the tape waits with `questions` until they are answered (POST /LTP/questions/{loanTapeId}). publish: it is processed and published, with the same codes as warnings',
  }),
});
export type TapeUpload = z.infer<typeof tapeUploadSchema>;

/** Why a file may not be what it seems. A question that was not asked has its code and data. */
export interface UploadWarning {
  readonly attachment: string;
  readonly message: string;
  readonly code?: TapeQuestion['code'];
  readonly data?: TapeQuestion['data'];
}

export interface TapeUploadResult {
  readonly uploadedCount: number;
  readonly errors: readonly { readonly attachment: string; readonly message: string }[];
  /** Files for which the mapping fails on most of the first rows, or makes implausible values for most of them. */
  readonly warnings: readonly UploadWarning[];
  /** Each tape once. `existed` marks one that an earlier upload made. */
  readonly loanTapes: readonly { readonly id: string; readonly workflowId: string; readonly existed: boolean }[];
  /** No worker is running. The tapes are stored, and start automatically when a worker is available. */
  readonly waitsForWorker: boolean;
}

export const BATCH_ROWS = 100_000;

/** The inputs of a tape's calculated values, besides its rows. */
export interface TapeFacts {
  readonly cutOffDate: CalendarDate;
  /** Currency of amounts that do not name one. */
  readonly primaryCurrency: string;
}

/**
 * Why a row is not an asset, for one rule. `rule` counts from 1, as on screens; 0 if the error is in the row itself.
 */
export interface CellProblem {
  readonly rule: number;
  /** The header, or null for a computed column. */
  readonly column: string | null;
  readonly target: string;
  /** The cell as a person would see it. */
  readonly value: string | null;
  readonly reason: string;
}

/** The error of a row with more fields than the header; its value holds the surplus fields. */
export const MISFIT_PROBLEM = {
  rule: 0,
  target: 'row',
  reason: 'has more fields than the header: put quotes around a value that holds the delimiter',
} as const;

/** A row that is not an asset, as stored and listed. */
export interface ErroredRow {
  /** 1-based row number of the sheet. */
  readonly row: number;
  /** Header to cell as read: number, text or boolean; null if blank; '#N/A' and similar errors as text. */
  readonly origin: Readonly<Record<string, string | number | boolean | null>>;
  readonly errors: readonly CellProblem[];
}

/** The errors of a row on one line: `Balance: "abc" is not a number; loan_id: is missing`. */
export function summarizeProblems(errors: readonly CellProblem[]): string {
  return errors.map((problem) => `${problem.column ?? problem.target}: ${problem.reason}`).join('; ');
}

/**
 * Values of a published tape that are outside the plausible range of their field, and cells that could not be read, so that
 * their fields are empty. Their rows are still assets.
 */
export const tapeWarningsSchema = z
  .object({
    assets: z.int().min(0).meta({ description: 'Assets with at least one such value' }),
    fields: z.array(
      z.object({
        path: z.string(),
        label: z.string(),
        assets: z.int().min(1),
        reason: z.string(),
        isUnread: z
          .literal(true)
          .optional()
          .meta({ description: 'Whether the cells could not be read; the assets are those with `<path>.unread`' }),
      }),
    ),
  })
  .meta({ id: 'TapeWarnings' });
export type TapeWarnings = z.infer<typeof tapeWarningsSchema>;

/** Statistics of a tape: the number of assets per status, and sums by status and currency. */
export interface AssetStatistics {
  /** For a tape only; missing if the tape was published before warnings were counted. */
  readonly warnings?: TapeWarnings;
  readonly assetsStatuses: readonly { readonly name: string; readonly value: number }[];
  readonly sum: readonly { readonly name: string; readonly amount: { sum: DecimalText; currency: string } }[];
  readonly outstandingSum: readonly {
    readonly name: string;
    readonly amount: { sum: DecimalText; currency: string };
  }[];
}
