import type { FieldCatalog } from '../filters/catalog.ts';
import { ASSETS } from './asset-words.ts';
import { LISTS } from './list-words.ts';
import type { SubjectWords } from './subject-words.ts';
import type { FieldWords, NamedValue, Subject } from './vocabulary.ts';

/** Names of documents and values that questions can use, as far as the person who asks can see them. */
export interface Names {
  /** Values by the path of their field; a name of a document means its id. */
  readonly [path: string]: readonly NamedValue[];
}

/** The lists that questions can be asked about, with what their rows are called. */
export const QUESTION_LISTS: readonly string[] = Object.keys(LISTS);

/** Assets with the custom fields of their mappings. */
export const assetSubject = (catalog: FieldCatalog, names: Names): Subject => withNames(ASSETS, catalog, names);

/** A list by its name. Throws for a list that no questions are asked about. */
export function listSubject(list: string, catalog: FieldCatalog, names: Names): Subject {
  const words = LISTS[list];
  if (!words) throw new Error(`No questions can be asked about ${list}`);
  return withNames(words, catalog, names);
}

function withNames(words: SubjectWords, catalog: FieldCatalog, names: Names): Subject {
  const fields: Record<string, FieldWords> = { ...words.fields };
  for (const field of catalog.fields) {
    const own = fields[field.path] ?? {};
    const isMoney = own.money === undefined && catalog.fields.some(({ path }) => path === `${field.path}.currency`);
    const days = `${field.path}.days`;
    const isTerm = own.inDays === undefined && catalog.fields.some(({ path }) => path === days);
    const known = names[field.path];
    fields[field.path] = {
      ...own,
      ...(isMoney ? { money: `${field.path}.currency` } : {}),
      ...(isTerm ? { inDays: days } : {}),
      ...(known ? { values: [...(own.values ?? []), ...known] } : {}),
      ...(known?.some(({ value, words: [name] }) => name !== value) ? { isReference: true } : {}),
      // Currencies and units of single amounts are only meant where their field is named.
      ...(/\.(currency|unit|days)$/.test(field.path) ? { isNamed: own.isNamed ?? false } : {}),
    };
  }
  return { ...words, catalog, fields };
}
