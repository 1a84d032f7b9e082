import { assetIdOf } from '@tapeline/db/ids.ts';
import { listBorrowingBaseFigures } from '@tapeline/db/operations/borrowing-bases/borrowing-base-figures.ts';
import { getBorrowingBase } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { certificateBefore } from '@tapeline/db/operations/borrowing-bases/compared-bases.ts';
import { getTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import { CAUSES, type Cause, isAssetCause } from '@tapeline/domain/borrowing-base/causes/causes.ts';
import type { ExplainedDifference } from '@tapeline/domain/borrowing-base/causes/explain-difference.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { formatInstant } from '@tapeline/domain/dates/instant.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { absolute, compare, isZero } from '@tapeline/domain/money/decimal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import {
  assetsOfCause,
  type OpenComparison,
  openComparedAssets,
  openComparison,
} from '../../../../commands/base-comparison.server.ts';
import { skipOf } from '../../../../components/page/skip.ts';
import type { Screen } from '../../../../http/screen.server.ts';
import { LISTED_LOANS } from './listed-loans.ts';

/** Certificates of each note to choose from. */
const CHOICES = 36;

/** The certificate with those of its facility that it can be compared with, and the one that the address names. */
export async function readChoice({ db, params: { id = '' }, url }: Screen) {
  return db(async (session) => {
    const base = await getBorrowingBase(session, id);
    const transaction = await getTransaction(session, base.transactionId);
    const notes = new Map(transaction.notes.map((note) => [note.id ?? '', note.title]));
    const figures = await listBorrowingBaseFigures(session, { noteIds: [...notes.keys()], perNote: CHOICES });
    const others = figures.filter((one) => one.id !== base.id && one.currency === base.currency).reverse();
    const asked = url.searchParams.get('against');
    const against = asked || ((await certificateBefore(session, base)) ?? others[0]?.id ?? null);
    // One that was calculated again since is not among the latest.
    const past = against && !others.some((one) => one.id === against) ? await getBorrowingBase(session, against) : null;
    const labelOf = (cutOffDate: string, noteId: string) =>
      [formatCalendarDate(cutOffDate), ...(notes.size > 1 ? [notes.get(noteId)] : [])].join(' · ');
    return {
      id: base.id,
      cutOffDate: base.cutOffDate,
      against,
      transaction: { id: transaction.id, title: transaction.title },
      noteId: base.noteId,
      noteTitle: notes.get(base.noteId) ?? 'Note',
      choices: [
        ...(past
          ? [
              {
                value: past.id,
                label: `${labelOf(past.cutOffDate, past.noteId)} · calculated ${formatInstant(past.metadata.iat)}`,
              },
            ]
          : []),
        ...others.map((one) => ({ value: one.id, label: labelOf(one.cutOffDate, one.noteId) })),
      ],
    };
  });
}

/** The cause of the address; otherwise the one with the largest effect. Null if nothing differs. */
function shownCause({ causes }: ExplainedDifference, asked: string | null): Cause | null {
  const named = CAUSES.find((cause) => cause === asked);
  if (named) return named;
  const largest = causes.reduce((most, one) => (compare(absolute(one.effect), absolute(most.effect)) > 0 ? one : most));
  return isZero(largest.effect) ? null : largest.cause;
}

/** The loans behind a cause, if the reader sees the assets of both certificates. */
async function readLoans(screen: Screen, comparison: OpenComparison, cause: Cause) {
  if (!isAssetCause(cause) || !can(screen.actor, 'assets/read')) return null;
  const compared = await openComparedAssets(screen, screen.db, comparison).catch((error: unknown) => {
    if (isRefusal(error)) return null;
    throw error;
  });
  if (!compared) return null;
  const page = { skip: skipOf(screen.url.searchParams), limit: LISTED_LOANS };
  const { assets, total } = await assetsOfCause(screen, compared, cause, page);
  return {
    total,
    loans: assets.map((asset) => {
      // Each leads to the later tape. One that is not on it leads to the earlier tape.
      const isGone = asset.after === null;
      const [side, step, base] = isGone
        ? [compared.before, asset.before, comparison.earlier]
        : [compared.after, asset.after, comparison.later];
      return {
        ...asset,
        tapeId: side.tapeId,
        borrowingBase: base.id,
        documentId: assetIdOf(side.assetPrefix, step?.row ?? 0),
      };
    }),
  };
}

const NOT_OF_THE_PAIR: ReadonlySet<string> = new Set(['notFound', 'tooMany', 'serverError']);

/** The comparison that the address asks for; or why there is none. */
export async function readComparisonPage(screen: Screen) {
  const choice = await readChoice(screen);
  if (choice.against === null) return { choice, problem: null, opened: null };
  try {
    const opened = await openComparison(screen, screen.db, [choice.against, choice.id]);
    const { difference, assets } = opened.comparison;
    const cause = shownCause(difference, screen.url.searchParams.get('cause'));
    return {
      choice,
      problem: null,
      opened: {
        before: opened.earlier.cutOffDate,
        after: opened.later.cutOffDate,
        difference,
        assets,
        cause,
        loans: cause && (await readLoans(screen, opened, cause)),
      },
    };
  } catch (error) {
    // What is wrong with the two certificates is said on the page; that no worker answered is another page.
    if (!isRefusal(error) || NOT_OF_THE_PAIR.has(error.code)) throw error;
    return { choice, problem: error.message, opened: null };
  }
}

export type ComparisonPage = Awaited<ReturnType<typeof readComparisonPage>>;
export type ShownComparison = NonNullable<ComparisonPage['opened']>;
