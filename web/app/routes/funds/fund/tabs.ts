import type { PermissionKey } from '@tapeline/domain/people/actor.ts';

/** Investors or documents on one page of a tab. */
export const ROWS_PER_TAB = 100;

/**
 * The tabs of a fund in display order. A tab also needs its loader in `fund-page.server.ts` and its panel in `fund.tsx`;
 * the types report what is missing.
 */
export const FUND_TABS = [
  { view: 'overview', label: 'Overview', permission: 'funds/read' },
  { view: 'investors', label: 'Investors', permission: 'LPs/commitments/read' },
  { view: 'calls', label: 'Calls', permission: 'contributions/read' },
  { view: 'distributions', label: 'Distributions', permission: 'distributions/read' },
  { view: 'performance', label: 'Performance', permission: 'funds/read' },
  { view: 'navs', label: 'NAV', permission: 'funds/read' },
  { view: 'writeOffs', label: 'Write-offs', permission: 'funds/read' },
  { view: 'timeline', label: 'Timeline', permission: 'funds/read' },
  { view: 'documents', label: 'Documents', permission: 'funds/read' },
  { view: 'history', label: 'History', permission: 'history/read' },
] as const satisfies readonly { view: string; label: string; permission: PermissionKey }[];

export type FundView = (typeof FUND_TABS)[number]['view'];
