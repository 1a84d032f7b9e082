import industries from './industries.json' with { type: 'json' };

/** The industries that a new manager’s option list starts with. Documents may have others. */
export const INDUSTRIES: readonly string[] = industries;
