import { redirect } from '@remix-run/node';
import { listWaivers, shownWaiver, testAgain, withdrawWaiver } from '@tapeline/db/operations/covenants/breaches.ts';
import {
  type CovenantView,
  getCovenant,
  lateTest,
  type ResultView,
  removeCovenant,
  resultsOfCovenant,
  updateCovenant,
} from '@tapeline/db/operations/covenants/covenants.ts';
import { termsOf } from '@tapeline/db/operations/covenants/test-due-covenants.ts';
import type { Session } from '@tapeline/db/store.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { CERTIFICATE_FIGURE_NAMES } from '@tapeline/domain/covenants/certificate-figures.ts';
import { figureNames } from '@tapeline/domain/covenants/covenant-formula.ts';
import { COVENANT_BOUND_LABELS, OUTCOME_LABELS } from '@tapeline/domain/covenants/covenant-labels.ts';
import { bareFigure, covenantFigure } from '@tapeline/domain/covenants/covenant-words.ts';
import {
  businessDaysBetween,
  type CalendarDate,
  formatCalendarDate,
  fromEpochDay,
  toEpochDay,
} from '@tapeline/domain/dates/calendar-day.ts';
import { FREQUENCY_LABELS } from '@tapeline/domain/dates/reporting-periods.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { absolute, isNegative } from '@tapeline/domain/money/decimal.ts';
import { formatFigure, formatPercent } from '@tapeline/domain/money/format-figure.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { POOL_FIGURE_NAMES } from '@tapeline/domain/pools/pool-figures.ts';
import { z } from 'zod';
import { act, confirmedIntent, intent, type Screen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { mayChange } from '../covenant-list.server.ts';
import { shownCovenant } from '../shown-covenant.ts';

type Period = ResultView['periods'][number];

/** The period as its row names it: the month of a monthly test, else the day on which it ends. */
const periodLabel = ({ frequency }: CovenantView, { to }: Period): string =>
  frequency === 'monthly' ? formatCalendarDate(to).split(' ').slice(1).join(' ') : formatCalendarDate(to);

function figureText({ name, value, currency }: Period['figures'][number]): string {
  if (currency !== null) return formatFigure(value, minorUnitDigits(currency));
  return POOL_FIGURE_NAMES.includes(name) ? formatPercent(value, 2) : formatFigure(value);
}

const sourceOf = ({ source }: Period['figures'][number]): string =>
  source.resource === 'borrowingBases' ? paths.borrowingBase(source.id) : paths.facilityFigure(source.id);

/** The periods of a test with the figures that its formula read. */
function shownPeriods(covenant: CovenantView, formula: string, periods: readonly Period[]) {
  const names = figureNames(formula);
  const currencyOf = (name: string): string | null => {
    const found = new Set(
      periods.flatMap(({ figures }) => figures.filter((one) => one.name === name).map(({ currency }) => currency)),
    );
    const [only = null] = found;
    return found.size === 1 ? only : null;
  };
  // A figure alone is the value.
  const isPlain = formula.trim() === `[${names[0]}]`;
  const shown = isPlain ? [] : names;
  return {
    heads: shown.map((name) => {
      const currency = currencyOf(name);
      return currency ? `${name} (${currency})` : name;
    }),
    rows: periods.map((period) => ({
      to: period.to,
      label: periodLabel(covenant, period),
      value: period.value === null ? null : covenantFigure(covenant, period.value),
      source: isPlain && period.figures[0] ? sourceOf(period.figures[0]) : null,
      figures: shown.map((name) => {
        const figure = period.figures.find((one) => one.name === name);
        return {
          name,
          figure: figure ? { text: figureText(figure), on: formatCalendarDate(figure.on), to: sourceOf(figure) } : null,
        };
      }),
    })),
  };
}

/** What the latest test found; for an unknown covenant, what is missing for the test that is due. */
async function shownTest(session: Session, covenant: CovenantView) {
  const [latest] = covenant.results;
  const late = covenant.state === 'unknown' ? await lateTest(session, covenant) : null;
  if (late) {
    return {
      isKnown: false as const,
      date: late.date,
      /** Whether a facility figure is missing, and not only what comes with a tape. */
      canEnter: figureNames(covenant.formula).some(
        (name) =>
          !isOfCertificates(name) && late.periods.some((one) => one.figures.every((figure) => figure.name !== name)),
      ),
      missing: late.missing ?? 'The test is made with the next figures',
      ...shownPeriods(covenant, covenant.formula, late.periods),
    };
  }
  if (!latest || covenant.state === 'notTested') return null;
  const { limitValue, headroom, terms: of, periods, outcome } = latest;
  const isSpringing = outcome === 'notApplicable';
  const isBeyond = headroom !== null && isNegative(headroom);
  return {
    isKnown: true as const,
    date: latest.testDate,
    testedAt: latest.testedAt,
    isSpringing,
    count: periods.length,
    value: isSpringing ? formatFigure(latest.value, 2) : covenantFigure(covenant, latest.value),
    bound: COVENANT_BOUND_LABELS[of.bound],
    limitFrom: of.steps.filter(({ from }) => from <= latest.testDate).at(-1)?.from ?? null,
    limit: limitValue === null ? null : covenantFigure(covenant, limitValue),
    isBeyond,
    distance: headroom === null ? null : bareFigure(covenant, absolute(headroom)),
    distanceLabel: !isBeyond ? 'Left to the limit' : of.bound === 'atMost' ? 'Over the limit by' : 'Below the limit by',
    ...shownPeriods(covenant, isSpringing ? (of.springing?.formula ?? of.formula) : of.formula, periods),
  };
}

const isOfCertificates = (name: string): boolean => CERTIFICATE_FIGURE_NAMES.includes(name);

const dayBefore = (date: CalendarDate): CalendarDate => fromEpochDay(toEpochDay(date) - 1);

/** The limits around a day, at most three: the one before, the one in force, and the next. */
function limitsAround(covenant: CovenantView, date: CalendarDate) {
  const { steps } = covenant;
  const at = Math.max(
    0,
    steps.findLastIndex(({ from }) => from <= date),
  );
  const first = Math.max(0, Math.min(at - 1, steps.length - 3));
  return steps.slice(first, first + 3).map(({ from, limit }, index) => {
    const next = steps[first + index + 1];
    const isPast = next !== undefined && next.from <= date;
    return {
      from,
      label: isPast ? `until ${formatCalendarDate(dayBefore(next.from))}` : `from ${formatCalendarDate(from)}`,
      limit: covenantFigure(covenant, limit),
      isCurrent: first + index === at,
    };
  });
}

/** The days to cure an open breach. */
function cureOf({ cureDays, state, results: [latest] }: CovenantView, today: CalendarDate) {
  if (state !== 'breached' || !latest?.cureUntil) return null;
  const left = latest.cureUntil < today ? 0 : businessDaysBetween(today, latest.cureUntil);
  const days = latest.terms.cureDays || cureDays;
  return { until: latest.cureUntil, left, days, hasEnded: latest.cureUntil < today };
}

const outcomeLabel = (outcome: ResultView['outcome']): string =>
  outcome === 'notApplicable' ? 'Does not apply' : OUTCOME_LABELS[outcome];

/** A covenant with its latest result, what was done about it, and its history. */
export async function readCovenant(screen: Screen) {
  const { params, db, actor } = screen;
  return db(async (session) => {
    const covenant = await getCovenant(session, params.id ?? '');
    const today = todayOf(session);
    const [results, waivers, test] = await Promise.all([
      resultsOfCovenant(session, covenant.id),
      listWaivers(session, covenant.id),
      shownTest(session, covenant),
    ]);
    const [latest] = covenant.results;
    const { springing } = covenant;
    const cured = latest?.curedOn
      ? {
          on: latest.curedOn,
          by: latest.curedBy,
          reason: latest.cureReason,
          file: latest.cureFileId,
          testDate: latest.testDate,
        }
      : null;
    const isManager = mayChange(screen);
    const isActive = covenant.status === 'Active';
    return {
      ...shownCovenant(covenant, today),
      version: covenant.version,
      isActive,
      transactionId: covenant.transactionId,
      companyId: covenant.companyId,
      frequency: FREQUENCY_LABELS[covenant.frequency],
      periods: covenant.periods,
      formula: covenant.formula,
      springs: springing
        ? `${springing.formula} is ${springing.bound === 'atMost' ? 'above' : 'below'} ${formatFigure(springing.limit)}`
        : null,
      test,
      limits: limitsAround(covenant, test?.date ?? today),
      warningDistance: covenant.warningDistance == null ? null : bareFigure(covenant, covenant.warningDistance),
      clause: covenant.clause ?? null,
      clauseText: covenant.clauseText ?? null,
      consequence: covenant.consequence,
      defaultRate: covenant.defaultRate ?? null,
      cureDays: covenant.cureDays,
      breachedSince: covenant.state === 'breached' ? (latest?.testedAt.slice(0, 10) ?? null) : null,
      cure: cureOf(covenant, today),
      cured,
      waivers: waivers.map((waiver) => ({
        ...shownWaiver(waiver),
        isOwn: actor.userId === waiver.enteredBy.id,
      })),
      results: results.map(({ id, status, outcome, value, limitValue, testDate, testedAt }) => ({
        id,
        isSuperseded: status === 'Superseded',
        outcome,
        label: outcomeLabel(outcome),
        value: outcome === 'notApplicable' ? null : covenantFigure(covenant, value),
        limit: limitValue === null ? null : covenantFigure(covenant, limitValue),
        testDate,
        testedAt,
      })),
      may: {
        change: isManager,
        waive: isManager && isActive && covenant.state === 'breached' && !latest?.requestedWaiver,
        cure: isManager && isActive && covenant.state === 'breached' && (latest?.cureUntil ?? '') >= today,
        testAgain: isManager && isActive && latest !== undefined,
      },
    };
  });
}
export type CovenantPage = Awaited<ReturnType<typeof readCovenant>>;

const idOf = ({ params }: Screen): string => params.id ?? '';
const here = (screen: Screen) => {
  const search = new URLSearchParams(screen.url.search);
  search.delete('confirm');
  return `${paths.covenant(idOf(screen))}${search.size > 0 ? `?${search}` : ''}`;
};

/** Ends the tests of a covenant, or begins them again. */
const changeStatus = (status: 'Active' | 'Disabled', asks: string) =>
  confirmedIntent({
    permission: 'transactions/write',
    schema: z.object({ version: z.coerce.number().int() }),
    asks,
    async run({ version }, screen) {
      await screen.db(async (session) => {
        const covenant = await getCovenant(session, idOf(screen));
        const { clauseText } = covenant;
        await updateCovenant(session, { id: covenant.id, body: { ...termsOf(covenant), clauseText, status, version } });
      });
      return redirect(here(screen));
    },
  });

export const changeCovenant = act({
  testAgain: confirmedIntent({
    permission: 'transactions/write',
    schema: z.object({}),
    asks: 'testAgain',
    async run(_, screen) {
      await screen.db((session) => testAgain(session, idOf(screen)));
      return redirect(here(screen));
    },
  }),
  end: changeStatus('Disabled', 'end'),
  reopen: changeStatus('Active', 'reopen'),
  remove: confirmedIntent({
    permission: 'transactions/write',
    schema: z.object({}),
    asks: 'remove',
    async run(_, screen) {
      await screen.db((session) => removeCovenant(session, idOf(screen)));
      return redirect(paths.covenants());
    },
  }),
  withdrawWaiver: intent({
    permission: 'transactions/write',
    schema: z.object({ waiver: idSchema }),
    async run({ waiver }, screen) {
      await screen.db((session) => withdrawWaiver(session, waiver));
      return redirect(here(screen));
    },
  }),
});
