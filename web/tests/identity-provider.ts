import { startIdentityProvider, type TestIdentityProvider } from '@tapeline/launch/testing/identity-provider.ts';
import { afterAll, beforeAll, inject } from 'vitest';

/**
 * Starts the identity provider that the product is configured with, for all tests of the calling file.
 * @returns how a test reaches it, once the tests run
 */
export function ownIdentityProvider(): () => TestIdentityProvider {
  let provider: TestIdentityProvider;
  beforeAll(async () => {
    provider = await startIdentityProvider(inject('oidcClient'), inject('productUrl'));
  });
  afterAll(() => provider.stop());
  return () => provider;
}
