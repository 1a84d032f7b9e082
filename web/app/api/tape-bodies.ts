import { documentSchema, fileMetadataSchema } from '@tapeline/domain/documents/document.schema.ts';
import { wireAmountSchema } from '@tapeline/domain/money/amount.schema.ts';
import { TAPE_STAGES } from '@tapeline/domain/tapes/progress.ts';
import {
  PROCESS_STATUSES,
  SCHEDULER_STATUSES,
  tapeCountsSchema,
  tapeWarningsSchema,
} from '@tapeline/domain/tapes/tape.schema.ts';
import { tapeAnswersSchema, tapeQuestionSchema } from '@tapeline/domain/tapes/tape-questions.schema.ts';
import { z } from 'zod';

const figureSchema = z.object({ name: z.string(), amount: wireAmountSchema });

/** Statistics of assets: the count of each status, and sums by status and currency. */
export const statisticsSchema = z
  .object({
    assetsStatuses: z.array(z.object({ name: z.string(), value: z.int() })),
    sum: z.array(figureSchema),
    outstandingSum: z.array(figureSchema),
  })
  .meta({ id: 'AssetStatistics' });

const milliseconds = z.number().meta({ description: 'Milliseconds since 1970' });
const stageSchema = z.enum([...TAPE_STAGES, 'done', 'failed', 'cancelled']);

const progressSchema = z
  .object({
    stage: stageSchema,
    rowsRead: z.int(),
    readShare: z.number().optional().meta({ description: 'How much of the sheet is read, 0 to 1' }),
    rowsTransformed: z.int(),
    rowsErrored: z.int(),
    batches: z.int(),
    batchesTransformed: z.int(),
    percent: z.number(),
    startedAt: milliseconds,
    reachedAt: z.partialRecord(stageSchema, milliseconds),
    failure: z.string().nullable(),
    notice: z.string().nullable(),
    rerun: z
      .object({
        rows: z.int().nullable().meta({ description: 'Number of corrected rows; null for all rows of the tape' }),
        by: z.string().nullable(),
        startedAt: milliseconds,
        mappingVersion: z
          .int()
          .optional()
          .meta({ description: 'The mapping version that all rows are processed with; omitted for corrected rows' }),
      })
      .optional()
      .meta({ description: 'Rows of the published tape that are being processed again' }),
  })
  .meta({ id: 'TapeProgress' });

export const tapeSchema = documentSchema
  .extend({
    company: z.string(),
    cutOffDate: z.string(),
    schedulerStatus: z.enum(SCHEDULER_STATUSES),
    processStatus: z.enum(PROCESS_STATUSES),
    counts: tapeCountsSchema.nullable(),
    questions: z.array(tapeQuestionSchema).meta({
      description: 'Open questions. The tape is processed once they are answered (POST /LTP/questions/{loanTapeId})',
    }),
    answers: tapeAnswersSchema.shape.answers,
    warnings: tapeWarningsSchema
      .extend({
        questions: z.array(tapeQuestionSchema).optional().meta({ description: 'Questions that were not asked' }),
      })
      .nullable()
      .meta({ description: 'Null until the tape is published, or if it was published before these were counted' }),
    calculateBB: z.boolean(),
    mainCurrency: z.string(),
    exchangeRates: z
      .record(z.string(), z.number())
      .meta({ description: 'Units of each currency that one US dollar buys' }),
    assetsETL: z.string(),
    assetsETLVersion: z.int(),
    sheetName: z.string().nullable(),
    otherAttachments: z.array(fileMetadataSchema),
    progress: progressSchema.nullable(),
    statistics: statisticsSchema.nullable(),
    failure: z.string().nullable(),
    publishedAt: z.string().nullable(),
    workflowId: z.string().nullable(),
    waitsForWorker: z.boolean().meta({
      description: 'The tape is to be processed and no worker is running: it starts when one is',
    }),
    unstableIds: z.literal(true).optional().meta({
      description:
        'Only on a published tape whose asset ids are row numbers. Its assets are not compared with those of other tapes: no Consistent checks, roll rates, status migration or prepayment speeds',
    }),
  })
  .meta({ id: 'LoanTape' });

/** A tape job in progress. */
export const jobSchema = tapeSchema
  .extend({
    progress: progressSchema.extend({ timeLeftMs: z.number().nullable() }).nullable(),
  })
  .meta({ id: 'LoanTapeJob' });

/** What became of the rows of a re-run. */
export const rerunResultSchema = z
  .object({ rows: z.int(), assets: z.int(), errored: z.int() })
  .nullable()
  .meta({ description: 'The result; null if processing takes longer (see GET /LTP)' });
