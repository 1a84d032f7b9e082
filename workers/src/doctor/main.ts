import '@tapeline/db/private-files.ts';

import { parseArgs } from 'node:util';
import { printWarnings } from '@tapeline/db/library-warnings.ts';
import { report } from './report.ts';

/**
 * `npm run doctor` checks all settings and services, says what is wrong and how to correct it, and exits with 1 then.
 * `--deep` also compares the database with every object.
 */
printWarnings();
const { values } = parseArgs({ options: { deep: { type: 'boolean', default: false } } });
const { lines, isWell } = await report(process.env, { isDeep: values.deep });
process.stdout.write(`${lines.join('\n')}\n`, () => process.exit(isWell ? 0 : 1));
