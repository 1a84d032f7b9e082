import { getMapping, latestMappingsOfEach, versionsOfMapping } from '@tapeline/db/operations/mappings/mappings.ts';
import { isRerunInProgress } from '@tapeline/db/operations/tapes/generations.ts';
import { listProposals } from '@tapeline/db/operations/tapes/proposals.ts';
import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import type { Session } from '@tapeline/db/store.ts';
import { isRefusal, nullIfRefused } from '@tapeline/domain/errors/refusal.ts';
import { type RemapReview, reviewRemap } from '../../../commands/remap.server.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { withChange } from './note-change.ts';
import { versionChoice } from './tape-words.ts';

/** Other mappings of the company that are offered, beside the versions of the tape's own. */
const MAX_OTHERS = 20;

/** A published tape, the mapping versions that it can be processed with, and the effect of the chosen one. */
export async function readRemapPage(screen: Screen) {
  const { db, params, url } = screen;
  const { tape, versions, openProposals } = await db(async (session) => {
    const found = await getTape(session, params.id ?? '');
    const proposals = await listProposals(session, {
      filter: { loanTapeId: found.id, status: 'Proposed' },
      limit: 1,
    });
    return { tape: found, versions: await versionsFor(session, found), openProposals: proposals.total };
  });
  const chosen = versions.find(({ id }) => id === url.searchParams.get('mapping')) ?? null;
  const isInProgress = tape.schedulerStatus === 'Processing';
  const isAsked = url.searchParams.has('mapping');
  const unknown =
    isAsked && !chosen ? 'This mapping version cannot be used for the tape. Choose one of the list.' : null;
  const { review, problem } =
    chosen && !isInProgress ? await reviewed(screen, tape.id, chosen.id) : { review: null, problem: unknown };
  return {
    tape: {
      id: tape.id,
      title: tape.attachment.name,
      cutOffDate: tape.cutOffDate,
      mappingVersion: tape.mappingVersion,
      isInProgress,
      isRerun: isRerunInProgress(tape),
    },
    versions,
    chosen,
    review: review && { ...review, notes: review.notes.map(withChange) },
    problem,
    openProposals,
  };
}
export type RemapPage = Awaited<ReturnType<typeof readRemapPage>>;

interface Version {
  readonly id: string;
  readonly version: number;
  readonly label: string;
}

/** All versions of the tape's mapping but its own, then the latest ones of the company's other mappings. */
async function versionsFor(
  session: Session,
  tape: { readonly mappingId: string; readonly companyId: string },
): Promise<Version[]> {
  const own = await getMapping(session, tape.mappingId).catch(nullIfRefused);
  const ofFamily = own ? await versionsOfMapping(session, own) : [];
  const latest = await latestMappingsOfEach(session, { companyIds: [tape.companyId], limit: MAX_OTHERS });
  const known = new Set([tape.mappingId, ...ofFamily.map(({ id }) => id)]);
  return [
    ...ofFamily
      .filter(({ id }) => id !== tape.mappingId)
      .map(({ id, mappingVersion, loanTapeSheetName, metadata }) => ({
        id,
        version: mappingVersion,
        sheet: loanTapeSheetName,
        savedAt: metadata.iat,
      })),
    ...latest.filter(({ id }) => !known.has(id)),
  ].map(({ id, version, sheet, savedAt }) => ({
    id,
    version,
    label: versionChoice({ version, savedAt, sheet }),
  }));
}

/** If the effect cannot be calculated, the page says why and offers no confirmation. */
async function reviewed(
  { context, actor, request }: Screen,
  tapeId: string,
  mappingId: string,
): Promise<{ review: RemapReview | null; problem: string | null }> {
  try {
    return { review: await reviewRemap(context, actor, { tapeId, mappingId }, request.signal), problem: null };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { review: null, problem: error.message };
  }
}
