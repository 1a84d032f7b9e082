import { Tables } from './001-tables.ts';
import { Visibility } from './002-visibility.ts';
import { Invariants } from './003-invariants.ts';
import { Writers } from './004-writers.ts';

/** In the order they run; names are what the database remembers, so they never change. */
export const MIGRATIONS = [
  { name: '001-tables', class: Tables },
  { name: '002-visibility', class: Visibility },
  { name: '003-invariants', class: Invariants },
  { name: '004-writers', class: Writers },
];
