import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import type { PreviewMappingInput } from '@tapeline/workflows/preview/activities.ts';
import type { DraftedSheet } from '@tapeline/workflows/preview/preview.ts';
import type { InspectedSheet } from '../sheets/inspect-sheet.ts';
import { previewMapping } from './preview-mapping.ts';
import { toHead } from './sheet-head.ts';

/** The head and the mapped rows of one reading: an editor shows the columns to choose from also where the rules make nothing of them. */
export async function previewDraft(
  sheet: InspectedSheet,
  input: Omit<PreviewMappingInput, 'fileId' | 'sheetName'>,
): Promise<DraftedSheet> {
  const head = toHead(sheet);
  try {
    return { head, mapped: await previewMapping(sheet, input), fault: null };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { head, mapped: null, fault: error.message };
  }
}
