import { similarWords } from '@tapeline/domain/entities/name-words.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import {
  likeliestOf,
  MAX_CANDIDATES,
  MAX_MATCHED_NAMES,
  type NamedCollection,
  nameKey,
} from '@tapeline/domain/importer/match-names.ts';
import { MAX_CELL } from '@tapeline/domain/importer/read-rows.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { requirePermission, tenantOf } from '../permission.ts';
import { NAMED } from './resolve-names.ts';

/** A tenant with more documents has names compared with those that have a word with the same beginning. */
const MAX_COMPARED = 2_000;
/** Of one word. */
const MAX_BY_WORD = 100;
const LETTERS = 3;
/** Words of a name by which such documents are looked for. */
const MAX_WORDS = 3;

/** A document that a name may mean. */
export interface NameCandidate {
  readonly code: number;
  readonly title: string;
  readonly externalCode: string | null;
}

/**
 * The documents that each name probably means, the likeliest first: those that are called so, then those with similar names.
 * @param texts at most `MAX_MATCHED_NAMES`
 */
export async function candidatesFor(
  session: ReadSession,
  { managerId, collection, texts }: { managerId: string; collection: NamedCollection; texts: readonly string[] },
): Promise<Map<string, NameCandidate[]>> {
  const { table, more } = NAMED[collection];
  const asked = texts.slice(0, MAX_MATCHED_NAMES);
  const compared = `select id, code, title, ${more} from ${table} where manager_id = $1 and status <> 'Removed'`;
  const first = await session.query<Compared>(`${compared} order by code limit ${MAX_COMPARED + 1}`, [managerId]);
  const rows =
    first.length <= MAX_COMPARED ? first : await likelyRows(session, { managerId, collection, asked, compared });
  const all = rows.map(({ code, title, name, formal_id: formalId, external_code: externalCode }) => ({
    names: [title, name].filter((text) => text !== ''),
    keys: new Set([String(code), title, name, formalId, externalCode].flatMap((text) => (text ? [nameKey(text)] : []))),
    shown: { code, title, externalCode },
  }));
  const likely = likeliestOf(asked, all);
  return new Map(
    asked.map((text) => {
      const key = nameKey(text);
      const exact = all.filter(({ keys }) => keys.has(key) || (/^\d+$/.test(key) && keys.has(String(Number(key)))));
      const found = [...new Set([...exact, ...(likely.get(text) ?? [])])].slice(0, MAX_CANDIDATES);
      return [text, found.map(({ shown }) => shown)];
    }),
  );
}

interface Compared {
  readonly code: number;
  readonly title: string;
  readonly name: string;
  readonly formal_id: string | null;
  readonly external_code: string | null;
}

/** Of a tenant with many documents, those that have a word like one of the names, and those that have one as a code. */
async function likelyRows(
  session: ReadSession,
  {
    managerId,
    collection,
    asked,
    compared,
  }: { managerId: string; collection: NamedCollection; asked: readonly string[]; compared: string },
): Promise<Compared[]> {
  const words = asked.flatMap((text) =>
    similarWords(text)
      .toSorted((a, b) => b.length - a.length)
      .slice(0, MAX_WORDS),
  );
  const beginnings = [...new Set(words.map((word) => word.slice(0, LETTERS)))];
  const ids = await session.query<{ id: string }>(
    `select distinct found.id from unnest($1::text[]) as word cross join lateral search_documents(word, $2::text[], $3) found`,
    [beginnings, [NAMED[collection].searched], MAX_BY_WORD],
  );
  const keys = asked.map(nameKey);
  const codes = asked.flatMap((text) => (/^\d{1,9}$/.test(text) ? [Number(text)] : []));
  return session.query<Compared>(
    `select * from (${compared}) t where id = any ($2) or code = any ($3) or lower(external_code) = any ($4)
       or lower(formal_id) = any ($4) or lower(title) = any ($4) or lower(name) = any ($4)`,
    [managerId, ids.map(({ id }) => id), codes, keys],
  );
}

/** What a person says that a name means. */
export interface NameMatch {
  readonly collection: NamedCollection;
  readonly text: string;
  readonly code: number;
}

/**
 * Remembers what names of files mean, for all who import for the manager. A later answer replaces an earlier one.
 * @throws Refusal forbidden without `importer/write`; badRequest for too many or too long names, or a code that names nothing
 */
export async function rememberNames(session: Session, matches: readonly NameMatch[]): Promise<void> {
  requirePermission(session, 'importer/write');
  const managerId = await tenantOf(session);
  if (matches.length > MAX_MATCHED_NAMES)
    throw new Refusal('badRequest', `Match at most ${MAX_MATCHED_NAMES} names at once`);
  for (const [collection, ofCollection] of Map.groupBy(matches, (match) => match.collection)) {
    await rememberNamesOf(session, { managerId, collection, matches: ofCollection });
  }
}

async function rememberNamesOf(
  session: Session,
  { managerId, collection, matches }: { managerId: string; collection: NamedCollection; matches: readonly NameMatch[] },
): Promise<void> {
  const { table, by, withArticle } = NAMED[collection];
  const documents = await session.query<{ id: string; code: number }>(
    `select id, code from ${table} where manager_id = $1 and code = any ($2) and status <> 'Removed'`,
    [managerId, matches.map(({ code }) => code)],
  );
  const idOf = new Map(documents.map(({ id, code }) => [code, id]));
  const idByName = new Map<string, string>();
  for (const { text, code } of matches) {
    const id = idOf.get(code);
    if (!id) throw new Refusal('badRequest', `${code} is not the code of ${withArticle}`);
    const name = nameKey(text);
    if (name === '' || name.length > MAX_CELL)
      throw new Refusal('badRequest', `A name has 1 to ${MAX_CELL} characters`);
    idByName.set(name, id);
  }
  const { actor, now } = session;
  const names = [...idByName.keys()];
  // The earlier answer may be a document that this person cannot see.
  await asProgram(session, () =>
    session.query(
      `insert into import_names (id, manager_id, name, ${by}, user_id, confirmed_at)
       select id, $1, name, document, $2, $3 from unnest($4::text[], $5::text[], $6::text[]) as t (id, name, document)
       on conflict (manager_id, name) where ${by} is not null
         do update set ${by} = excluded.${by}, user_id = excluded.user_id, confirmed_at = excluded.confirmed_at`,
      [
        managerId,
        actor.kind === 'user' ? actor.userId : null,
        now,
        names.map(() => newId(now)),
        names,
        [...idByName.values()],
      ],
    ),
  );
}

/** Asks again what a name means. @throws Refusal forbidden without `importer/write` */
export async function forgetName(session: Session, { collection, text }: Omit<NameMatch, 'code'>): Promise<void> {
  requirePermission(session, 'importer/write');
  const managerId = await tenantOf(session);
  await session.query(
    `delete from import_names where manager_id = $1 and name = $2 and ${NAMED[collection].by} is not null`,
    [managerId, nameKey(text)],
  );
}
