import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { FIRST_PLACE } from './references.ts';

/**
 * How the database and the object storage disagree about an object: it is missing, has another size or other content than
 * recorded, or the database does not know it.
 */
export const FINDINGS = ['missing', 'size', 'content', 'orphan'] as const;
export type FindingKind = (typeof FINDINGS)[number];

/** What is found about one object. */
export interface FoundObject {
  readonly key: string;
  readonly finding: FindingKind;
}

/** Objects with one finding: how many there are, and the first by their keys. */
export interface FoundObjects {
  readonly finding: FindingKind;
  readonly count: number;
  readonly examples: readonly string[];
}

const EXAMPLES = 5;
const LONGEST_KEY = 1024;

/** Records what was found, and forgets what was found before about objects that are well. Called as the system actor. */
export async function recordFindings(
  session: Session,
  { found, well }: { found: readonly FoundObject[]; well: readonly string[] },
): Promise<void> {
  if (well.length > 0) await session.query('delete from object_findings where key = any($1)', [well]);
  if (found.length === 0) return;
  const cut = found.map(({ key, finding }) => ({ key: key.slice(0, LONGEST_KEY), finding }));
  await session.query(
    `insert into object_findings (key, finding, found_at, checked_at)
     select distinct on (key) key, finding, $2::timestamptz, $2::timestamptz
       from jsonb_to_recordset($1::jsonb) as given (key text, finding text)
     on conflict (key) do update set finding = excluded.finding, checked_at = greatest(excluded.checked_at, object_findings.found_at)`,
    [JSON.stringify(cut), session.now],
  );
}

/** Forgets what a complete comparison that began at `before` has not found again. Called as the system actor. */
export async function forgetFindings(
  session: Session,
  command: { findings: readonly FindingKind[]; before: Date },
): Promise<void> {
  await session.query('delete from object_findings where finding = any($1) and checked_at < $2', [
    command.findings,
    command.before,
  ]);
}

/** What is recorded, in the order of `FINDINGS`; nothing for findings without objects. */
export async function listFindings({ query }: Pick<ReadSession, 'query'>): Promise<FoundObjects[]> {
  const rows = await query<FoundObjects>(
    `select kind as finding, (select count(*)::int from object_findings where finding = kind) as count,
       array(select key from object_findings where finding = kind order by key limit ${EXAMPLES}) as examples
     from unnest($1::text[]) with ordinality as listed (kind, place) order by place`,
    [FINDINGS],
  );
  return rows.filter(({ count }) => count > 0);
}

/** How far a comparison has come. */
export interface ComparisonPlace {
  /** See `referencesAfter`. */
  readonly place: string;
  /** When this round through all references began. */
  readonly beganAt: Date;
}

/** Where the comparison continues: at the beginning, if the last round is complete. */
export async function comparisonPlace(session: Session): Promise<ComparisonPlace> {
  const [row] = await session.query<{ place: string; beganAt: string }>(
    `select place, to_json(began_at) #>> '{}' as "beganAt" from object_comparison`,
  );
  return row && row.place !== FIRST_PLACE
    ? { place: row.place, beganAt: new Date(row.beganAt) }
    : { place: FIRST_PLACE, beganAt: session.now };
}

/** Keeps the place, so that the next comparison continues there. Called as the system actor. */
export async function keepComparisonPlace(session: Session, { place, beganAt }: ComparisonPlace): Promise<void> {
  await session.query(
    `insert into object_comparison (only_one, place, began_at) values (true, $1, $2)
     on conflict (only_one) do update set place = excluded.place, began_at = excluded.began_at`,
    [place, beganAt],
  );
}
