import type { ImportDraft } from '@tapeline/domain/importer/draft.ts';
import { type ImportKind, isFileKind } from '@tapeline/domain/importer/kinds.ts';
import { formatCount } from '../../components/figures/format.ts';
import { paths } from '../../paths.ts';

/** The page that goes on with an import that was not started. */
export const draftTo = (id: string, kind: ImportKind): string =>
  isFileKind(kind) ? paths.importFiles(id) : paths.importCheck(id);

/** What an import is called before it is started: its file. */
export const draftName = ({ sheet, pdfs }: Pick<ImportDraft, 'sheet' | 'pdfs'>): string =>
  sheet?.name ?? formatCount(pdfs.length, 'PDF file');
