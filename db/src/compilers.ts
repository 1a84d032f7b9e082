import { setFlagsFromString } from 'node:v8';

/**
 * Every process of the product imports this module first (decision 020); tests and benches start theirs with the flag. V8's middle
 * compiler, Maglev, is wrong about objects now and then: in Node 24 it let the rules of a borrowing base share one count. Code that stays
 * hot is compiled by TurboFan all the same.
 */
export const COMPILER_FLAG = '--no-maglev';

setFlagsFromString(COMPILER_FLAG);
