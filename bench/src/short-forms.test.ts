import { existsSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SHORT_FORMS } from './short-forms.ts';
import { benchesWith, runShortForm } from './testing/short-form.ts';

it('lists every bench, so that none is left out of the tests', () => {
  const benches = readdirSync(import.meta.dirname).filter((name) =>
    existsSync(`${import.meta.dirname}/${name}/main.ts`),
  );
  // It only generates what the others measure.
  expect(benches.filter((name) => name !== 'tape-data')).toEqual(Object.keys(SHORT_FORMS).sort());
});

it.each(benchesWith('nothing'))('finds right answers in the bench %s', (name) => runShortForm(name));
