import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { soundRules } from '@tapeline/domain/tapes/sound-rules.ts';
import type { CheckedFile } from '@tapeline/domain/tapes/tape-check.ts';
import { checkTape } from '../../../commands/checks.server.ts';
import type { Asker } from '../../../commands/previews.server.ts';
import { bodyOfDraft, type MappingDraft } from './draft.ts';
import type { DraftCheck } from './draft-check.ts';

import type { PreviewedFile } from './draft-preview.ts';

/**
 * Checks every row of the file with the rules of a draft that have no errors. A newer check of the same user of the same
 * file replaces it.
 * @param companyId whose earlier tape a Consistent check compares with; null if the user cannot read it
 * @param signal aborts when the caller leaves
 */
export async function checkMappingDraft(
  asker: Asker,
  draft: MappingDraft,
  file: PreviewedFile,
  { companyId, signal }: { companyId: string | null; signal: AbortSignal },
): Promise<DraftCheck> {
  const { sound: places, leftOut } = soundRules(bodyOfDraft(draft));
  if (places.length === 0) {
    return { fileId: file.fileId, leftOut, result: null, problem: 'Add a rule for assetId first.', tookMs: 0 };
  }
  return checkedOr(file.fileId, leftOut, async () => {
    const result = await checkTape(
      asker,
      {
        fileId: file.fileId,
        sheetName: draft.loanTapeSheetName || null,
        isMappingsSheet: true,
        cutOffDate: draft.cutOffDate || file.cutOffDate,
        primaryCurrency: draft.primaryCurrency,
        rules: places.map((place) => draft.rules[place]?.rule),
        companyId,
      },
      { signal, place: `check of ${file.fileId}` },
    );
    const groups = result.groups.map((group) =>
      group.rule === 0 ? group : { ...group, rule: (places[group.rule - 1] ?? 0) + 1 },
    );
    return { ...result, groups };
  });
}

/** The result of a check, or why there is none. */
export async function checkedOr(
  fileId: string,
  leftOut: readonly number[],
  check: () => Promise<CheckedFile>,
): Promise<DraftCheck> {
  const started = performance.now();
  const tookMs = () => performance.now() - started;
  try {
    const result = await check();
    return { fileId, leftOut, result, problem: null, tookMs: tookMs() };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { fileId, leftOut, result: null, problem: error.message, tookMs: tookMs() };
  }
}
