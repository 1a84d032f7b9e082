import { Tables } from './001-tables.ts';
import { Visibility } from './002-visibility.ts';

/** In the order they run; names are what the database remembers, so they never change. */
export const MIGRATIONS = [
  { name: '001-tables', class: Tables },
  { name: '002-visibility', class: Visibility },
];
