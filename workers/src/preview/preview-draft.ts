import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import type { InspectedSheet } from '@tapeline/sheets/inspect-sheet.ts';
import type { PreviewMappingInput } from '@tapeline/workflows/preview/activities.ts';
import type { DraftedSheet } from '@tapeline/workflows/preview/preview.ts';
import { type PreviewLimits, previewMapping } from './preview-mapping.ts';
import { toHead } from './sheet-head.ts';

/**
 * Returns the head and the mapped rows from a single read of the file. An editor shows the available columns even if
 * the rules are invalid.
 */
export async function previewDraft(
  sheet: InspectedSheet,
  input: Omit<PreviewMappingInput, 'fileId' | 'sheetName'>,
  limits?: PreviewLimits,
): Promise<DraftedSheet> {
  const head = toHead(sheet);
  try {
    return { head, mapped: await previewMapping(sheet, input, limits), problem: null };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { head, mapped: null, problem: error.message };
  }
}
