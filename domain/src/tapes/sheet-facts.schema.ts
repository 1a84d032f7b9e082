import type { SheetFacts } from '@tapeline/sheets/sheet-facts.ts';
import { z } from 'zod';

/** What the reader found in a sheet and did not read, as stored with a tape. */
export const sheetFactsSchema: z.ZodType<SheetFacts> = z
  .object({
    formulasWithoutResult: z.int().min(0).meta({ description: 'Formula cells without a stored result' }),
    unnamedCells: z.int().min(0).meta({ description: 'Cells with content in columns without a header' }),
    unnamedColumns: z.string().nullable().meta({ description: 'The columns of these cells: "K", "K to M"' }),
  })
  .meta({ description: 'Content found in the sheet and not read' });
