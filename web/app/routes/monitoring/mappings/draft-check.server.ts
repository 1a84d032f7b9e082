import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { soundRules } from '@tapeline/domain/tapes/sound-rules.ts';
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
  const started = performance.now();
  const { sound: places, leftOut } = soundRules(bodyOfDraft(draft));
  const answer = (made: Pick<DraftCheck, 'result' | 'problem'>): DraftCheck => ({
    fileId: file.fileId,
    leftOut,
    tookMs: performance.now() - started,
    ...made,
  });
  if (places.length === 0) return answer({ result: null, problem: 'Add a rule for assetId first.' });
  try {
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
    return answer({ result: { ...result, groups }, problem: null });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return answer({ result: null, problem: error.message });
  }
}
