import { containing } from '@tapeline/domain/filters/like.ts';
import type { ReadSession } from '../../read-session.ts';

/** Maximum number of documents that a picker offers at once. */
export const MOST_CHOICES = 50;

/** The visible documents that a picker offers. */
export interface Choices<Choice> {
  /** At most `MOST_CHOICES` matches of the search, plus the chosen one. */
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
  /** Id that is always one of the choices, whatever the search matches; omitted if it is not visible. */
  readonly chosen?: string | null | undefined;
}

const MOST_LETTERS = 200;

/**
 * A bounded page of documents for a picker, which searches on the server.
 * @param offered SQL of the documents that can be chosen, as `<table> t where <condition>`, with the values of `$1` and on
 * @param label SQL of the text that is searched
 * @param order SQL of the order
 */
export async function findChoices<Choice extends { id: string }>(
  session: ReadSession,
  { search: asked, chosen }: ChoiceQuery,
  offer: { columns: string; offered: string; values: readonly unknown[]; label: string; order: string },
): Promise<Choices<Choice>> {
  const { columns, offered, values, label, order } = offer;
  const search = (asked ?? '').trim().slice(0, MOST_LETTERS);
  const pattern = containing(search);
  const matches = `${label} ilike $${values.length + 1}`;
  const [counted] = await session.query<{ found: number; total: number }>(
    `select count(*) filter (where ${matches})::int as found, count(*)::int as total from ${offered}`,
    [...values, pattern],
  );
  const choices = await session.query<Choice>(
    `select ${columns} from ${offered} and (t.id = $${values.length + 2} or t.id = any (array(
       select t.id from ${offered} and ${matches} order by ${order} limit ${MOST_CHOICES}
     ))) order by ${order}`,
    [...values, pattern, chosen ?? null],
  );
  return { choices, found: counted?.found ?? 0, total: counted?.total ?? 0, search };
}
