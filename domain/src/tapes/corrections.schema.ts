import { z } from 'zod';

/** A cell of a row as listed among the errored ones: dates and sheet errors as text, null where blank. */
export type OriginCell = string | number | boolean | null;

/** Corrected cells of one row of the sheet, by header; cells left out stay as they were read. */
export interface RowCorrection {
  /** 1-based row number of the sheet. */
  readonly row: number;
  readonly cells: Readonly<Record<string, OriginCell>>;
}

/** A correction as it is kept with the tape: who changed which cells of which row, and what stood there before. */
export interface CorrectionRecord {
  readonly row: number;
  readonly cells: Readonly<Record<string, { readonly before: OriginCell; readonly after: OriginCell }>>;
  /** Name of the person, null where unknown. */
  readonly by: string | null;
  /** ISO instant. */
  readonly at: string;
}

/** What a re-run of corrected rows came to. */
export interface RerunOutcome {
  /** Name of the person who corrected, null where unknown. */
  readonly by: string | null;
  /** ISO instant of its beginning. */
  readonly at: string;
  /** Rows that were run again. */
  readonly rows: number;
  /** Rows of them that became assets. */
  readonly assets: number;
  /** Sheet rows of them that stay errored, ascending; the first of them where there are very many. */
  readonly stayed: readonly number[];
}

/** Sheet rows that an outcome names at most. */
export const MOST_STAYED = 1000;

/** Rows that a call corrects at most; a file may hold any number. */
export const MOST_CORRECTIONS = 500;

const cellSchema = z.union([z.string().max(32_767), z.number(), z.boolean(), z.null()], {
  error: 'must be a text, a number, true, false or null',
});

const rowSchema = z.int('must be a row number of the sheet').min(1, 'must be a row number of the sheet');

const assetSchema = z
  .object({
    id: z
      .string()
      .regex(/^[0-9a-fA-F]{24}$/, 'Ids are exactly 24 characters')
      .optional(),
    rowNumber: rowSchema.optional(),
    row: rowSchema.optional(),
    originData: z.record(z.string().min(1).max(1000), cellSchema).default({}),
  })
  .refine(({ id, rowNumber, row }) => id !== undefined || rowNumber !== undefined || row !== undefined, {
    message: 'Name the errored row by its id or rowNumber',
  })
  .meta({ description: 'An errored row by its id or rowNumber, with the corrected cells by header' });

/** POST /LTP/assets/errored: corrected cells of errored rows, by header; those left out stay as they were read. */
export const correctionsSchema = z.object({
  loanTapeId: z.string('is required').regex(/^[0-9a-fA-F]{24}$/, 'Ids are exactly 24 characters'),
  assets: z
    .array(assetSchema)
    .min(1, `Name 1 to ${MOST_CORRECTIONS} rows`)
    .max(MOST_CORRECTIONS, `Name 1 to ${MOST_CORRECTIONS} rows`),
});
export type Corrections = z.infer<typeof correctionsSchema>;

/** Digits of an asset id that name its tape; the rest is the row number. */
const PREFIX_DIGITS = 16;

/** The id that an errored row has, and keeps as an asset. */
export const rowId = (assetPrefix: string, row: number): string => `${assetPrefix}${row.toString(16).padStart(8, '0')}`;

export interface NamedCorrection extends RowCorrection {
  /** The tape's asset prefix where the row was named by an id, to be held against the tape. */
  readonly assetPrefix: string | null;
}

/** The corrections of a call, each with its row number. */
export const namedCorrections = ({ assets }: Corrections): NamedCorrection[] =>
  assets.map(({ id, rowNumber, row, originData }) => ({
    row: rowNumber ?? row ?? Number.parseInt(id?.slice(PREFIX_DIGITS) ?? '', 16),
    assetPrefix: id === undefined ? null : id.slice(0, PREFIX_DIGITS).toLowerCase(),
    cells: originData,
  }));

/** A cell as a person reads it in a form or a file; blank is the empty text. */
export const shownOrigin = (cell: OriginCell): string =>
  cell === null ? '' : typeof cell === 'boolean' ? (cell ? 'TRUE' : 'FALSE') : String(cell);

// A number as Excel would take it: no leading zero that an identifier may have, no more digits than it can hold.
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/;
const MOST_EXACT_DIGITS = 15;

/**
 * What a person means who wrote `text` where `before` stood: the same cell where it was left as it was, else a blank, a
 * number or a truth as a sheet would take it, or the text.
 * @param isCsv whether the tape is a .csv file, whose cells are all texts
 */
export function typedCell(text: string, before: OriginCell, isCsv: boolean): OriginCell {
  if (text === shownOrigin(before)) return before;
  const bare = text.trim();
  if (bare === '') return null;
  if (isCsv) return text;
  if (PLAIN_NUMBER.test(bare) && bare.replace(/\D/g, '').length <= MOST_EXACT_DIGITS) return Number(bare);
  if (/^(true|false)$/i.test(bare)) return bare.toLowerCase() === 'true';
  return text;
}

/** The cells that differ from what was read. */
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
