import { CURRENCIES } from '@tapeline/domain/money/currencies.ts';
import { atBuild } from './at-build.ts';
import type { Choice } from './fields.tsx';

/** Every currency, by its code and name. */
export const CURRENCY_CHOICES: readonly Choice[] = atBuild(
  CURRENCIES.map(({ code, name }) => ({ value: code, label: `${code}, ${name}` })),
);
