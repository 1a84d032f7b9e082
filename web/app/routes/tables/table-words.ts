export const NEW_TABLE_LABELS = { name: 'Name', values: 'Values' };
export const FIXING_LABELS = { title: 'Base rate', date: 'Date', rate: 'Rate' };
