import {
  latestRowCountsSchema,
  loanMonthColumnsSchema,
} from '@tapeline/domain/tapes/latest-rows/latest-rows.schema.ts';
import { z } from 'zod';

/** What the form holds of a file with the latest rows: of which file, by which columns, and what is left out. */
const keptLatestSchema = loanMonthColumnsSchema.extend({
  source: z.object({ key: z.string().min(1).max(1024), name: z.string().min(1).max(255) }),
  counts: latestRowCountsSchema,
  notices: z.array(z.string().max(1000)).max(20),
});
export type KeptLatest = z.infer<typeof keptLatestSchema>;

/** The text of a form field as it was written. Null for anything else. */
export function readKeptLatest(text: unknown): KeptLatest | null {
  if (typeof text !== 'string' || text === '') return null;
  try {
    return keptLatestSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
