import { getTable, titlesInUse } from '@tapeline/db/operations/tables/tables.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { BASE_RATES } from '@tapeline/domain/facilities/terms.schema.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { isBaseRates, type TableValue } from '@tapeline/domain/tables/table.schema.ts';
import { documentHistory } from '../../commands/history.server.ts';
import { skipOf } from '../../components/page/skip.ts';
import type { Screen } from '../../http/screen.server.ts';

/** Rows of a page. The forms follow the fixings on narrow screens. */
const PAGE_LENGTH = { fixings: 26, options: 100 };
const CHART_YEARS = 2;

/** The fixings of each base rate that the chart draws: those of the last two years, with the one before them. */
function chartOf(values: readonly TableValue[], today: string) {
  const from = `${Number(today.slice(0, 4)) - CHART_YEARS}${today.slice(4)}`;
  return BASE_RATES.map((rate) => {
    const all = values
      .flatMap(({ title, date, rate: value }) => (title === rate && date && value ? [{ date, rate: value }] : []))
      .toReversed();
    const before = all.findLast(({ date }) => date < from);
    const steps = [...(before ? [{ ...before, date: from }] : []), ...all.filter(({ date }) => date >= from)];
    return { rate, steps, latest: all.at(-1) ?? null };
  });
}

export const viewTable = ({ db, params, url, actor }: Screen) =>
  db(async (session) => {
    const table = await getTable(session, params.id ?? '');
    const isDated = isBaseRates(table.name);
    const used = await titlesInUse(session, table);
    const skip = skipOf(url.searchParams);
    const limit = isDated ? PAGE_LENGTH.fixings : PAGE_LENGTH.options;
    const today = todayOf(session);
    return {
      id: table.id,
      name: table.name,
      version: table.version,
      isDated,
      today,
      total: table.values.length,
      limit,
      retired: table.values.filter(({ isRetired }) => isRetired).length,
      isUsed: isDated ? used.size > 0 : table.values.some(({ title }) => used.has(title.toLowerCase())),
      values: table.values.slice(skip, skip + limit).map((value) => ({
        ...value,
        isUsed: used.has(value.title.toLowerCase()),
      })),
      chart: isDated ? chartOf(table.values, today) : [],
      mayWrite: can(actor, 'tables/write'),
      done: url.searchParams.get('done'),
      asksToRemove: url.searchParams.get('confirm') === 'remove',
      history: await documentHistory(session, [{ resource: 'tables', ids: [table.id] }], url.searchParams),
    };
  });

export type TablePage = Awaited<ReturnType<typeof viewTable>>;
