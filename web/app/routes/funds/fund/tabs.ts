import { can, type PermissionKey, type UserActor } from '@tapeline/domain/people/actor.ts';

/** Rows on one page of a tab, and of one with two lists. */
export const ROWS_PER_TAB = 25;
export const ROWS_PER_LIST = 15;
/** The pages of the second list of a tab, in the address. */
export const SECOND_LIST = 'more';
/** The quarters of the NAVs across, and those that are skipped, in the address: a year with the quarter before it. */
export const SHOWN_QUARTERS = 5;
export const EARLIER_QUARTERS = 'quarters';
/** Which value of the NAVs is shown, in the address: the net one unless it says otherwise. */
export const NAV_VALUES = { net: 'Net', gross: 'Gross' } as const;
export type NavValue = keyof typeof NAV_VALUES;

/**
 * The tabs of a fund in display order, each for whoever has one of its permissions. A tab also needs its loader in
 * `fund-page.server.ts` and its panel in `fund.tsx`; the types report what is missing.
 */
const FUND_TABS = [
  { view: 'overview', label: 'Overview', permissions: ['funds/read'] },
  { view: 'investors', label: 'Investors', permissions: ['LPs/commitments/read'] },
  { view: 'activity', label: 'Capital activity', permissions: ['contributions/read', 'distributions/read'] },
  { view: 'navs', label: 'NAV', permissions: ['funds/read'] },
  { view: 'performance', label: 'Performance', permissions: ['funds/read'] },
  { view: 'documents', label: 'Documents', permissions: ['funds/read'] },
  { view: 'terms', label: 'Terms', permissions: ['funds/read'] },
  { view: 'history', label: 'History', permissions: ['history/read'] },
] as const satisfies readonly { view: string; label: string; permissions: readonly PermissionKey[] }[];

export type FundView = (typeof FUND_TABS)[number]['view'];

export const fundTabsOf = (actor: UserActor) =>
  FUND_TABS.filter(({ permissions }) => permissions.some((key) => can(actor, key))).map(({ view, label }) => ({
    view,
    label,
  }));

/** Tabs of earlier versions, which addresses may still name, and where their content is now. */
export const EARLIER_VIEWS: Readonly<Record<string, { view: FundView; anchor: string }>> = {
  calls: { view: 'activity', anchor: '' },
  distributions: { view: 'activity', anchor: '#distributions' },
  writeOffs: { view: 'navs', anchor: '#write-offs' },
  timeline: { view: 'terms', anchor: '#timeline' },
};
