import { expect, inject, it } from 'vitest';
import { startIdentityProvider } from '../testing/identity-provider.ts';
import { attack } from './attack.ts';

// Other tests use the same product, so nothing in it may be changed or removed.
it('the product stands every known attack, and mutated requests', async () => {
  const identity = await startIdentityProvider(inject('oidcClient'), inject('productUrl'));
  const url = inject('productUrl').replace('localhost', '127.0.0.1');
  const target = { url, mailFolder: inject('mailFolder'), identity };
  const { findings, passed } = await attack(target, {
    seed: 'tests',
    requests: 400,
    mayHarm: false,
    isPatient: false,
  }).finally(() => identity.stop());
  expect(findings).toEqual([]);
  expect(passed).toBeGreaterThan(400);
});
