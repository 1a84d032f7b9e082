import { formatCount } from '../../../components/figures/format.ts';

/** "today", "1 day", "12 days" */
export const ageWords = (days: number): string => (days === 0 ? 'today' : formatCount(days, 'day'));
