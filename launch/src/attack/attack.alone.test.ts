import { expect, inject, it } from 'vitest';
import { attack } from './attack.ts';

// Other tests use the same product, so nothing in it may be changed or removed.
it('the product stands every known attack, and mutated requests', async () => {
  const target = { url: inject('productUrl').replace('localhost', '127.0.0.1'), mailFolder: inject('mailFolder') };
  const { findings, passed } = await attack(target, { seed: 'tests', requests: 400, mayHarm: false, isPatient: false });
  expect(findings).toEqual([]);
  expect(passed).toBeGreaterThan(400);
});
