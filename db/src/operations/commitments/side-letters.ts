import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { SideLetter } from '@tapeline/domain/funds/fees.schema.ts';
import type { LPCommitment } from '../../entities/funds.ts';
import type { Session } from '../../store.ts';
import { uploadedFiles } from '../files/files.ts';
import { termProblems } from '../funds/fee-terms.ts';

/** Where the documents of side letters are. */
export const SIDE_LETTER_BUCKET = 'capitalAccounts';

/**
 * The side letters of a commitment as they are stored, in the order of their days, with the ids of their files.
 * @throws Refusal badRequest with a flag at each document that is no uploaded file, and at each sum it cannot have
 */
export async function sideLettersOf(
  session: Session,
  { currency }: Pick<LPCommitment, 'currency'>,
  letters: readonly SideLetter[],
): Promise<LPCommitment['sideLetters']> {
  const keysOrIds = letters.flatMap(({ document }) => document ?? []);
  const files = await uploadedFiles(session, { bucket: SIDE_LETTER_BUCKET, keysOrIds });
  const problems = letters.flatMap(({ document, terms }, index): [string, string][] => [
    ...(document == null || files.has(document)
      ? []
      : ([[`sideLetters.${index}.document`, 'is not an uploaded file']] satisfies [string, string][])),
    ...termProblems(terms, currency).map(([path, why]): [string, string] => [
      `sideLetters.${index}.terms.${path}`,
      why,
    ]),
  ]);
  if (problems.length > 0) throw new Refusal('badRequest', undefined, { flags: Object.fromEntries(problems) });
  return letters
    .map(({ from, title, document, terms }) => ({
      from,
      title: title ?? null,
      document: document == null ? null : (files.get(document)?.id ?? null),
      terms,
    }))
    .toSorted((a, b) => (a.from < b.from ? -1 : 1));
}

/** The files of side letters belong to the investor of their commitment, whose users may read them. */
export async function ownSideLetters(session: Session, commitments: readonly LPCommitment[]): Promise<void> {
  const owned = commitments.flatMap(({ investorLPId, sideLetters }) =>
    sideLetters.flatMap(({ document }) => (document && investorLPId ? [{ id: investorLPId, document }] : [])),
  );
  if (owned.length === 0) return;
  await session.query(
    `update files set lp_id = owned.id from unnest($1::text[], $2::text[]) as owned (id, file)
     where files.id = owned.file and files.lp_id is null`,
    [owned.map(({ id }) => id), owned.map(({ document }) => document)],
  );
}
