import { type CollectionName, EVERY_COLLECTION, type ValueOf } from '../collections/collections.ts';
import { can, type UserActor } from '../people/actor.ts';

/** What the index of words calls the documents of a collection: "facility" for transactions. */
export type SearchKindName = ValueOf<'search'>['kind'];

const SEARCHED = EVERY_COLLECTION.flatMap(([name, { search, read }]) =>
  search ? [{ name, read, ...search, kind: search.kind as SearchKindName }] : [],
).toSorted((one, other) => one.rank - other.rank);

const BY_KIND = new Map(SEARCHED.map(({ kind, name }) => [kind, name]));

/** The collection whose documents a kind of search result is. */
export const collectionOfKind = (kind: SearchKindName): CollectionName => BY_KIND.get(kind)!;

/** A longer text is refused. */
export const MAX_SEARCH_LETTERS = 100;
/** How many documents of a kind a search returns at most. It says if there are more. */
export const MAX_OF_A_KIND = 5;

/** The kinds that the actor may look for, in the order in which results are shown. */
export const searchKindsFor = (actor: UserActor): SearchKindName[] =>
  SEARCHED.flatMap(({ kind, read, types }) =>
    can(actor, read) && (types === undefined || types.includes(actor.type)) ? [kind] : [],
  );
