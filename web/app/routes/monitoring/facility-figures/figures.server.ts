import { redirect } from '@remix-run/node';
import { covenantStandings } from '@tapeline/db/operations/covenants/covenants.ts';
import {
  COVENANT_BUCKET,
  createFacilityFigure,
  createFacilityFigures,
  type FacilityFigureView,
  figureTitles,
  getFacilityFigure,
  listFacilityFigures,
  removeFacilityFigure,
  reviewFacilityFigure,
  updateFacilityFigure,
} from '@tapeline/db/operations/covenants/facility-figures.ts';
import type { Session } from '@tapeline/db/store.ts';
import { CERTIFICATE_FIGURE_NAMES } from '@tapeline/domain/covenants/certificate-figures.ts';
import { figureNames } from '@tapeline/domain/covenants/covenant-formula.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { FacilityFigureStatus } from '@tapeline/domain/facility-figures/facility-figure-labels.ts';
import { z } from 'zod';
import { chosenCompany } from '../../../commands/chosen-company.server.ts';
import { storeUploads } from '../../../commands/form-files.server.ts';
import { skipOf } from '../../../components/page/skip.ts';
import { act, confirmedIntent, intent, type Screen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { mayChange } from '../covenants/covenant-list.server.ts';
import { figureForm, pasteForm } from './figure-form-schema.ts';
import { FIGURES_PER_PAGE } from './figure-words.ts';

const shownFigure = (figure: FacilityFigureView, { actor }: Screen) => ({
  id: figure.id,
  title: figure.title,
  company: figure.companyName,
  companyId: figure.companyId,
  date: figure.date,
  value: figure.value,
  currency: figure.currency ?? null,
  remark: figure.remark ?? null,
  file: figure.fileId ?? null,
  status: figure.status as FacilityFigureStatus,
  version: figure.version,
  enteredBy: figure.enteredBy.name,
  isOwn: figure.enteredBy.id === actor.userId,
  reviewedBy: figure.reviewedBy?.name ?? null,
  reviewedAt: figure.reviewedAt?.toISOString() ?? null,
});

/** A page of the figures that wait for a review, or of those that are reviewed, the latest first. */
export function readFigures(screen: Screen) {
  const { url, db } = screen;
  const tab = url.searchParams.get('tab') === 'reviewed' ? ('reviewed' as const) : ('review' as const);
  return db(async (session) => {
    const page = (status: string, limit: number) =>
      listFacilityFigures(session, {
        filter: { status },
        sort: { date: -1, code: -1 },
        ...(limit > 1 ? { skip: skipOf(url.searchParams) } : {}),
        limit,
      });
    const [open, reviewed] = await Promise.all([
      page('Entered', tab === 'review' ? FIGURES_PER_PAGE : 1),
      page('Reviewed', tab === 'reviewed' ? FIGURES_PER_PAGE : 1),
    ]);
    const listed = tab === 'review' ? open : reviewed;
    return {
      tab,
      counts: { review: open.total, reviewed: reviewed.total },
      total: listed.total,
      mayChange: mayChange(screen),
      figures: listed.documents.map((figure) => shownFigure(figure, screen)),
    };
  });
}
export type FigureList = Awaited<ReturnType<typeof readFigures>>;

export const readFigure = (screen: Screen) =>
  screen.db(async (session) => ({
    ...shownFigure(await getFacilityFigure(session, screen.params.id ?? ''), screen),
    mayChange: mayChange(screen),
  }));

const figureId = z.object({ figure: idSchema });

/** Reviews or removes a figure, from its page or from the list. */
export const changeFigure = act({
  review: confirmedIntent({
    permission: 'transactions/write',
    schema: figureId,
    asks: ({ figure }) => `review-${figure}`,
    async run({ figure }, { db, params, url }) {
      await db((session) => reviewFacilityFigure(session, figure));
      return redirect(params.id ? paths.facilityFigure(figure) : `${url.pathname}?tab=review`);
    },
  }),
  remove: confirmedIntent({
    permission: 'transactions/write',
    schema: figureId,
    asks: ({ figure }) => `remove-${figure}`,
    async run({ figure }, { db }) {
      await db((session) => removeFacilityFigure(session, figure));
      return redirect(paths.facilityFigures());
    },
  }),
});

const ofCertificates: readonly string[] = CERTIFICATE_FIGURE_NAMES.map((name) => name.toLowerCase());

/** Names that a figure of the borrower is likely to have: those that its covenants read, and those it has. */
async function suggestedNames(session: Session, companyId: string): Promise<string[]> {
  const [titles, covenants] = await Promise.all([
    figureTitles(session, companyId),
    covenantStandings(session, { companyId }),
  ]);
  const read = covenants
    .flatMap(({ formula, springing }) => [...figureNames(formula), ...figureNames(springing?.formula ?? '')])
    .filter((name) => !ofCertificates.includes(name.toLowerCase()));
  const byName = new Map([...read, ...titles].map((name) => [name.toLowerCase(), name]));
  return [...byName.values()].sort((one, other) => one.localeCompare(other));
}

function requireManager(screen: Screen): void {
  if (!mayChange(screen)) throw new Refusal('forbidden', 'Only the manager can enter figures');
}

const text = (value: string | null | undefined): string => value ?? '';

/** The form of a stored figure, or of a new one of a borrower, who is chosen first. */
export function readFigureForm(screen: Screen) {
  requireManager(screen);
  const { params, url } = screen;
  return screen.db(async (session) => {
    if (params.id !== undefined) {
      const figure = await getFacilityFigure(session, params.id);
      if (figure.status !== 'Entered') {
        throw new Refusal('badRequest', 'This figure was reviewed. Remove it, and enter the right one');
      }
      return {
        picker: null,
        company: { id: figure.companyId, name: figure.companyName },
        stored: { id: figure.id, title: figure.title },
        names: await suggestedNames(session, figure.companyId),
        values: {
          title: figure.title,
          date: figure.date,
          value: figure.value,
          currency: text(figure.currency),
          remark: text(figure.remark),
          document: text(figure.fileId),
          version: String(figure.version),
        },
      };
    }
    return {
      ...(await newFigures(session, url)),
      stored: null,
      values: { title: text(url.searchParams.get('title')) },
    };
  });
}

/** The borrower of new figures, with the names that they are likely to have. */
async function newFigures(session: Session, url: URL) {
  const chosen = await chosenCompany(session, url);
  return { ...chosen, names: chosen.company ? await suggestedNames(session, chosen.company.id) : [] };
}

export function readPaste(screen: Screen) {
  requireManager(screen);
  return screen.db((session) => newFigures(session, screen.url));
}

export const savePaste = act({
  create: intent({
    permission: 'transactions/write',
    schema: pasteForm,
    async run(form, { db }) {
      await db((session) => createFacilityFigures(session, form));
      return redirect(paths.facilityFigures());
    },
  }),
});

export const saveFigure = act(
  {
    create: intent({
      permission: 'transactions/write',
      schema: figureForm.extend({ company: idSchema }),
      async run({ refused, version: _, document, ...body }, { db }) {
        if (refused) throw new Refusal('badRequest', refused);
        await db((session) => createFacilityFigure(session, { ...body, document: document || null }));
        return redirect(paths.facilityFigures());
      },
    }),
    save: intent({
      permission: 'transactions/write',
      schema: figureForm,
      async run({ refused, version = 0, document, ...body }, { db, params: { id = '' } }) {
        if (refused) throw new Refusal('badRequest', refused);
        await db((session) =>
          updateFacilityFigure(session, { id, body: { ...body, document: document || null, version } }),
        );
        return redirect(paths.facilityFigure(id));
      },
    }),
  },
  {
    files: {
      permission: 'transactions/write',
      store: (screen: Screen) => storeUploads(screen, { bucket: COVENANT_BUCKET }),
    },
  },
);
