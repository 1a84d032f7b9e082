import { formatCount } from '../../../components/figures/format.ts';

/** "today", "1 day ago", "12 days ago" */
export const ageWords = (days: number): string => (days === 0 ? 'today' : `${formatCount(days, 'day')} ago`);
