/**
 * A script for the head of every page. Zod tries whether it may generate code, which the security policy reports as a
 * violation. This setting has to be there before Zod loads.
 */
export const NO_GENERATED_CODE = 'globalThis.__zod_globalConfig = { jitless: true };';
