import { assetIdOf } from '@tapeline/db/ids.ts';
import { getBorrowingBase } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { scenariosOf } from '@tapeline/db/operations/scenarios/scenarios.ts';
import { getTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import { type ComparedFigure, compareBases } from '@tapeline/domain/borrowing-base/compare-bases.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { MAX_SHOWN_SCENARIOS } from '@tapeline/domain/scenarios/scenario.schema.ts';
import { assetsOfScenario, type OpenScenario, openScenario } from '../../../commands/scenarios.server.ts';
import { skipOf } from '../../../components/page/skip.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { LISTED_LOANS } from '../borrowing-bases/comparison/listed-loans.ts';

/** A line of the certificate with its value under each scenario; null for one that a scenario does not have. */
export interface SideBySideLine {
  readonly label: string;
  readonly unit: ComparedFigure['unit'];
  readonly isLevel: boolean;
  readonly certificate: string | null;
  readonly scenarios: readonly (Pick<ComparedFigure, 'now' | 'change'> | null)[];
}

function linesOf(opened: readonly OpenScenario[], alone: readonly ComparedFigure[]): SideBySideLine[] {
  const compared = opened.map(({ base, calculated }) => compareBases(base.result, calculated.result));
  const [first = alone] = compared;
  return first.map(({ label, unit, isLevel, before }) => ({
    label,
    unit,
    isLevel,
    certificate: before,
    scenarios: compared.map((figures) => figures.find((figure) => figure.label === label) ?? null),
  }));
}

/** Opens one; what is wrong with it is said in its place. */
async function openOrSay(screen: Screen, id: string): Promise<OpenScenario | { problem: string }> {
  try {
    return await openScenario(screen, screen.db, id);
  } catch (error) {
    if (!isRefusal(error) || error.code === 'serverError') throw error;
    return { problem: error.message };
  }
}

async function readAssets(screen: Screen, opened: OpenScenario) {
  if (!can(screen.actor, 'assets/read')) return null;
  const page = { skip: skipOf(screen.url.searchParams), limit: LISTED_LOANS };
  try {
    const { assets, total, assetPrefix } = await assetsOfScenario(screen, screen.db, opened, page);
    return {
      total,
      loans: assets.map((asset) => ({
        ...asset,
        tapeId: opened.base.tapeId,
        documentId: assetIdOf(assetPrefix, asset.before?.row ?? asset.after?.row ?? 0),
      })),
    };
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

/** The certificate, and beside it the scenarios that the address names; the first ones if it names none. */
export async function readWhatIf(screen: Screen) {
  const { url, actor, params } = screen;
  if (actor.type === 'company') throw new Refusal('forbidden', 'Scenarios are the manager’s own');
  const { base, transaction, scenarios } = await screen.db(async (session) => {
    const found = await getBorrowingBase(session, params.id ?? '');
    return {
      base: found,
      transaction: await getTransaction(session, found.transactionId),
      scenarios: (await scenariosOf(session, found)).reverse(),
    };
  });
  const asked = new Set(url.searchParams.getAll('scenario'));
  const chosen = scenarios.filter(({ id }) => asked.size === 0 || asked.has(id)).slice(0, MAX_SHOWN_SCENARIOS);
  const shown: { id: string; title: string; words: readonly string[]; problem: string | null }[] = [];
  const opened: OpenScenario[] = [];
  for (const { id, title } of chosen) {
    const one = await openOrSay(screen, id);
    if ('problem' in one) shown.push({ id, title, words: [], problem: one.problem });
    else {
      shown.push({ id, title, words: one.words, problem: null });
      opened.push(one);
    }
  }
  const named = url.searchParams.get('assets');
  const withAssets = opened.find(({ scenario }) => scenario.id === named) ?? opened[0] ?? null;
  return {
    base: { id: base.id, cutOffDate: base.cutOffDate, currency: base.currency },
    transaction: { id: transaction.id, title: transaction.title },
    noteId: base.noteId,
    noteTitle: transaction.notes.find(({ id }) => id === base.noteId)?.title ?? 'Note',
    mayChange: can(actor, 'transactions/write'),
    scenarios: scenarios.map(({ id, title }) => ({ id, title, isShown: chosen.some((one) => one.id === id) })),
    shown,
    opened: opened.map(({ scenario: { id, title }, calculated }) => ({ id, title, assets: calculated.assets })),
    lines: linesOf(opened, compareBases(base.result, base.result)),
    assets: withAssets && {
      id: withAssets.scenario.id,
      title: withAssets.scenario.title,
      ...withAssets.calculated.assets,
      page: await readAssets(screen, withAssets),
    },
  };
}

export type WhatIfPage = Awaited<ReturnType<typeof readWhatIf>>;
