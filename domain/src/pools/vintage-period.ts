/** The periods by which loans are grouped into vintages. */
export const VINTAGE_PERIODS = ['month', 'quarter', 'year'] as const;
export type VintagePeriod = (typeof VINTAGE_PERIODS)[number];

/** The vintage of a month 'YYYY-MM': the month itself, '2024-Q1' or '2024'. Their text order is chronological. */
export function vintageOf(month: string, period: VintagePeriod): string {
  if (period === 'month') return month;
  const year = month.slice(0, 4);
  return period === 'year' ? year : `${year}-Q${Math.ceil(Number(month.slice(5, 7)) / 3)}`;
}

/** First day of a vintage and of the next one; null for 'all'. */
export function vintageDates(vintage: string): { from: string; before: string } | null {
  const match = /^(\d{4})(?:-(?:Q([1-4])|(\d{2})))?$/.exec(vintage);
  if (!match) return null;
  const [, year = '', quarter, month] = match;
  const first = quarter ? Number(quarter) * 3 - 2 : month ? Number(month) : 1;
  const after = first + (quarter ? 3 : month ? 1 : 12);
  const day = (ofYear: number, ofMonth: number) => `${ofYear}-${String(ofMonth).padStart(2, '0')}-01`;
  return {
    from: day(Number(year), first),
    before: after > 12 ? day(Number(year) + 1, after - 12) : day(Number(year), after),
  };
}
