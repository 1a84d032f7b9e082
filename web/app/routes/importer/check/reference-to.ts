import type { ImportReference } from '@tapeline/domain/importer/check.ts';
import { paths } from '../../../paths.ts';

/** The page of a document that a code stands for. */
export function referenceTo({ collection, id }: Pick<ImportReference, 'collection' | 'id'>): string | null {
  if (collection === 'funds') return paths.fund(id);
  if (collection === 'mainFunds') return paths.mainFund(id);
  if (collection === 'LPs') return paths.investor(id);
  return null;
}
