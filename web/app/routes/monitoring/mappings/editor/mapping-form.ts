import type { DraftPreview, TapesToTry } from '../draft-preview.ts';
import type { EditorState } from '../edit-draft.ts';
import type { EditorAnswer } from '../mapping-editor.server.ts';

export const MAPPING_FORM = 'mapping';

export interface EditorProps {
  readonly initial: EditorState;
  /** The version that is being changed. 0 for a new mapping. */
  readonly version: number;
  readonly canEdit: boolean;
  readonly preview: DraftPreview | null;
  /** Tapes that the draft can be tried on; null if there is only the file it was made from. */
  readonly tapes: TapesToTry | null;
  readonly answer: EditorAnswer | undefined;
}
