import { proposalCommentSchema } from '@tapeline/domain/tapes/corrections.schema.ts';
import { attachmentSchema } from '@tapeline/domain/tapes/tape.schema.ts';
import { z } from 'zod';

/** Maximum number of rows that one form corrects: one page of errored rows. */
export const CORRECTED_AT_ONCE = 25;

const idSchema = z.string().regex(/^[0-9a-f]{24}$/, 'Open the rows from the tape again');

/** The form with corrected rows: every cell by its header, as entered. */
export const correctSchema = z.object({
  /** The generation that the form was rendered from. */
  generation: idSchema,
  rows: z
    .array(
      z.object({
        row: z.coerce.number().int().positive(),
        cells: z.array(z.object({ header: z.string().max(1000), value: z.string().max(32_767).optional() })),
      }),
    )
    .min(1, 'Choose at least one row')
    .max(CORRECTED_AT_ONCE),
  comment: proposalCommentSchema,
});
export type CorrectForm = z.infer<typeof correctSchema>;

/** Sheet rows in an address: "17,23". Invalid entries are ignored. */
export const rowsOfAddress = (text: string | null): number[] =>
  [...new Set((text ?? '').split(',').map(Number))]
    .filter((row) => Number.isSafeInteger(row) && row > 0)
    .slice(0, CORRECTED_AT_ONCE);

/** A file of corrected rows, as passed on by the form that stores its files. */
export const correctedFileSchema = z.object({
  refused: z
    .array(z.string())
    .max(0, { error: (issue) => (issue.input as string[]).join('\n') })
    .optional(),
  attachments: z.array(attachmentSchema, { error: 'Choose the corrected file' }).length(1, 'Choose one file'),
});

/** The confirmation of a file preview. */
export const rerunFileSchema = z.object({ generation: idSchema, file: idSchema, comment: proposalCommentSchema });
