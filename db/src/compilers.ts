import { setFlagsFromString } from 'node:v8';

/**
 * Every process of the product imports this module first (decision 020); tests and benchmarks start their processes
 * with the flag. V8's mid-tier compiler, Maglev, occasionally miscompiles objects: in Node 24 it let the rules of a
 * borrowing base share one count. TurboFan still compiles hot code.
 */
export const COMPILER_FLAG = '--no-maglev';

setFlagsFromString(COMPILER_FLAG);
