import { CHECK_FIX_KINDS, type CheckFix } from '@tapeline/domain/tapes/check-fixes.ts';
import type { CheckedFile } from '@tapeline/domain/tapes/tape-check.ts';
import { z } from 'zod';

/** What a draft makes of every row of a file. Its groups name rules by their place in the draft, from 1. */
export interface DraftCheck {
  readonly fileId: string;
  readonly result: CheckedFile | null;
  /** Rules with errors, which the check leaves out. 0-based places in the draft. */
  readonly leftOut: readonly number[];
  /** Why there is no result. */
  readonly problem: string | null;
  readonly tookMs: number;
}

const fixEditSchema = z.object({
  /** 0-based place in the draft. */
  rule: z.int(),
  kind: z.enum(CHECK_FIX_KINDS),
  value: z.string().nullable(),
  /** The field of the form with the status that was chosen. */
  field: z.string().optional(),
});
type FixEdit = z.infer<typeof fixEditSchema>;

/** Begins the names of the fields that choose a status. They are no part of the draft. */
export const FIX_FIELD = 'fix-status-';

/** The edit of a button that corrects a group. */
export const fixEdit = (rule: number, { kind, value }: CheckFix, field?: string): string =>
  `fix:${JSON.stringify({ rule, kind, value, field } satisfies FixEdit)}`;

/** Null for anything else. */
export function readFixEdit(argument: string): FixEdit | null {
  try {
    return fixEditSchema.safeParse(JSON.parse(argument)).data ?? null;
  } catch {
    return null;
  }
}

/** Whether an edit changes the draft so that it is checked again, or asks for the check. */
export const asksCheck = (edit: string): boolean => edit === 'check' || edit.startsWith('fix:');

/** Files below this size are checked at once: they have about 20,000 rows. */
export const DIRECT_BYTES = 4 * 2 ** 20;
/** Drafts are checked again after each change if the last check was this fast. */
export const DIRECT_MS = 2_000;
