import { containing, likePattern } from '@tapeline/domain/filters/like.ts';
import { printPattern } from '@tapeline/domain/filters/pattern-sql.ts';
import { can, type PermissionKey } from '@tapeline/domain/people/actor.ts';
import type { ReadSession } from '../../read-session.ts';

/** Maximum number of documents that a picker offers at once. */
export const MAX_CHOICES = 50;

/** The visible documents that a picker offers. */
export interface Choices<Choice> {
  /** At most `MAX_CHOICES` matches of the search, plus the chosen one. */
  choices: Choice[];
  /** Number of documents that match the search. */
  found: number;
  /** Number of documents without a search. */
  total: number;
  search: string;
}

export interface ChoiceQuery {
  /** Part of the label, case-insensitive; every document if empty. */
  readonly search?: string | null | undefined;
  /** Ids that are always among the choices, whatever the search matches; those that are not visible are omitted. */
  readonly chosen?: string | readonly string[] | null | undefined;
}

export const MAX_LETTERS = 200;

/** SQL of whether a text contains a search, ignoring case as filters do. @param place of `patternOf(search)` */
export const contains = (text: string, place: string): string => `(${text}) collate "C" ~ ${place}::text`;
export const patternOf = (search: string): string => printPattern(likePattern(containing(search)), 'postgres');

/**
 * A bounded page of documents for a picker, which searches on the server. Without the permission to read them, only the
 * chosen ones are offered: the document that is edited names them as well.
 * @param offer.read the permission to read the documents
 * @param offer.offered SQL of the documents that can be chosen, as `<table> t where <condition>`, with the values of `$1` and on
 * @param offer.label SQL of the text that is searched. Default: the title
 * @param offer.order SQL of the order. Default: by the label
 */
export async function findChoices<Choice extends { id: string }>(
  session: ReadSession,
  { search: asked, chosen }: ChoiceQuery,
  offer: {
    read: PermissionKey;
    columns: string;
    offered: string;
    values: readonly unknown[];
    label?: string;
    order?: string;
    /** SQL of the number of all documents, where counting them is not necessary. */
    total?: string | null;
  },
): Promise<Choices<Choice>> {
  const { columns, offered, values, label = 't.title', order = `${label} collate "C", t.id` } = offer;
  const ids = [chosen ?? []].flat();
  const search = (asked ?? '').trim().slice(0, MAX_LETTERS);
  const index = values.length;
  if (!can(session.actor, offer.read)) {
    const choices = await session.query<Choice>(
      `select ${columns} from ${offered} and t.id = any ($${index + 1}::text[]) order by ${order}`,
      [...values, ids],
    );
    return { choices, found: choices.length, total: choices.length, search };
  }
  const total = offer.total ?? `select count(*)::int as total from ${offered}`;
  const [all] = await session.query<{ total: number }>(total, offer.total ? [] : values);
  const pattern = search ? [patternOf(search)] : [];
  const [counted] = search
    ? await session.query<{ found: number }>(
        `select count(*)::int as found from ${offered} and ${contains(label, `$${index + 1}`)}`,
        [...values, ...pattern],
      )
    : [];
  const matches = search ? contains(label, `$${index + 2}`) : 'true';
  const choices = await session.query<Choice>(
    `select ${columns} from ${offered} and (t.id = any ($${index + 1}::text[]) or t.id = any (array(
       select t.id from ${offered} and ${matches} order by ${order} limit ${MAX_CHOICES}
     ))) order by ${order}`,
    [...values, ids, ...pattern],
  );
  return { choices, found: counted?.found ?? all?.total ?? 0, total: all?.total ?? 0, search };
}
