import { inject, it } from 'vitest';
import { benchesWith, runShortForm } from './testing/short-form.ts';

it.each(benchesWith('product'))('finds right answers in the bench %s', (name) =>
  runShortForm(name, { PRODUCT_URL: inject('productUrl'), PRODUCT_HOME: inject('productHome') }),
);
