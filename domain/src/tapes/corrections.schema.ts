import { z } from 'zod';
import { idSchema } from '../documents/id.schema.ts';

/** The borrower's note to the manager about a proposal. */
export const proposalCommentSchema = z.string().trim().max(1000, 'At most 1,000 characters').optional();

/** A cell of an errored row, as listed: dates and sheet errors are text; blank cells are null. */
export type OriginCell = string | number | boolean | null;

/** Corrected cells of one row of the sheet, by header. Omitted cells keep the values that were read. */
export interface RowCorrection {
  /** 1-based row number of the sheet. */
  readonly row: number;
  readonly cells: Readonly<Record<string, OriginCell>>;
}

/** A correction as stored with the tape: who changed which cells of which row, and the previous values. */
export interface CorrectionRecord {
  readonly row: number;
  readonly cells: Readonly<Record<string, { readonly before: OriginCell; readonly after: OriginCell }>>;
  /** The person's name; null if unknown. */
  readonly by: string | null;
  /** Name of the manager's user who accepted it, if a borrower proposed it. */
  readonly acceptedBy?: string;
  /** ISO instant. */
  readonly at: string;
}

/** The result of re-running corrected rows. */
export interface RerunOutcome {
  /** Name of the person who corrected the rows; null if unknown. */
  readonly by: string | null;
  /** Name of the manager's user who accepted the correction, if a borrower proposed it. */
  readonly acceptedBy?: string;
  /** ISO instant at which the re-run started. */
  readonly at: string;
  /** Number of rows that were re-run. */
  readonly rows: number;
  /** Number of re-run rows that became assets. */
  readonly assets: number;
  /** Re-run sheet rows that are still errored, ascending; only the first `MAX_STAYED` of them. */
  readonly stayed: readonly number[];
}

/** Maximum number of sheet rows that an outcome lists. */
export const MAX_STAYED = 1000;

/** Maximum number of rows that one call corrects; a file can hold any number. */
export const MAX_CORRECTIONS = 500;

const cellSchema = z.union([z.string().max(32_767), z.number(), z.boolean(), z.null()], {
  error: 'must be text, a number, true, false or null',
});

const rowSchema = z.int('must be a row number of the sheet').min(1, 'must be a row number of the sheet');

const assetSchema = z
  .object({
    id: idSchema.optional(),
    rowNumber: rowSchema.optional(),
    row: rowSchema.optional(),
    originData: z.record(z.string().min(1).max(1000), cellSchema).default({}),
  })
  .refine(({ id, rowNumber, row }) => id !== undefined || rowNumber !== undefined || row !== undefined, {
    message: 'Give the id or rowNumber of the errored row',
  })
  .meta({ description: 'An errored row by its id or rowNumber, with the corrected cells by header' });

/**
 * POST /LTP/assets/errored: corrected cells of errored rows, by header. Omitted cells keep the values that were read.
 */
export const correctionsSchema = z.object({
  loanTapeId: idSchema,
  assets: z
    .array(assetSchema)
    .min(1, `Give 1 to ${MAX_CORRECTIONS} rows`)
    .max(MAX_CORRECTIONS, `Give 1 to ${MAX_CORRECTIONS} rows`),
  comment: proposalCommentSchema.meta({ description: 'The borrower’s note to the manager' }),
});
export type Corrections = z.infer<typeof correctionsSchema>;

/** Number of leading digits of an asset id that identify its tape; the rest is the row number. */
const PREFIX_DIGITS = 16;

/** The id of an errored row. The row keeps this id when it becomes an asset. */
export const rowId = (assetPrefix: string, row: number): string => `${assetPrefix}${row.toString(16).padStart(8, '0')}`;

export interface NamedCorrection extends RowCorrection {
  /** The tape's asset prefix if the row was named by an id, for comparison with the tape; null otherwise. */
  readonly assetPrefix: string | null;
}

/** The corrections of a call, each with its row number. */
export const namedCorrections = (assets: Corrections['assets']): NamedCorrection[] =>
  assets.map(({ id, rowNumber, row, originData }) => ({
    row: rowNumber ?? row ?? Number.parseInt(id?.slice(PREFIX_DIGITS) ?? '', 16),
    assetPrefix: id === undefined ? null : id.slice(0, PREFIX_DIGITS).toLowerCase(),
    cells: originData,
  }));

/** A cell as shown in a form or a file; a blank cell is the empty string. */
export const shownOrigin = (cell: OriginCell): string =>
  cell === null ? '' : typeof cell === 'boolean' ? (cell ? 'TRUE' : 'FALSE') : String(cell);

// A number as Excel would read it: no leading zeros (they may belong to an identifier), and no more digits than Excel
// keeps.
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/;
const MAX_EXACT_DIGITS = 15;

/**
 * Interprets `text` that a person typed in place of `before`: the same cell if unchanged; otherwise a blank, a number
 * or a boolean as a sheet would read it, or the text.
 * @param isCsv whether the tape is a .csv file, in which all cells are text
 */
export function typedCell(text: string, before: OriginCell, isCsv: boolean): OriginCell {
  if (text === shownOrigin(before)) return before;
  const bare = text.trim();
  if (bare === '') return null;
  if (isCsv) return text;
  if (PLAIN_NUMBER.test(bare) && bare.replace(/\D/g, '').length <= MAX_EXACT_DIGITS) return Number(bare);
  if (/^(true|false)$/i.test(bare)) return bare.toLowerCase() === 'true';
  return text;
}

/** The cells that differ from the values that were read. */
export function changedCells(
  cells: Readonly<Record<string, OriginCell>>,
  origin: Readonly<Record<string, OriginCell>>,
): CorrectionRecord['cells'] {
  return Object.fromEntries(
    Object.entries(cells).flatMap(([header, after]) => {
      const before = origin[header] ?? null;
      return before === after ? [] : [[header, { before, after }]];
    }),
  );
}
