import { openWorkbook } from '@tapeline/sheets/workbook.ts';
import { expect, test } from 'vitest';
import { paths } from '../app/paths.ts';
import { screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
