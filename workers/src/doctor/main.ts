import '@tapeline/db/private-files.ts';

import { printWarnings } from '@tapeline/db/library-warnings.ts';
import { report } from './report.ts';

/** `npm run doctor` checks all settings and services, says what is wrong and how to correct it, and exits with 1 then. */
printWarnings();
const { lines, isWell } = await report(process.env);
process.stdout.write(`${lines.join('\n')}\n`, () => process.exit(isWell ? 0 : 1));
