import { readFileSync, writeFileSync } from 'node:fs';
import { settingsTables } from '../settings.ts';

/** Writes the tables of all settings to the production guide, after its introduction. */
const guide = new URL('../../../docs/operating/settings.md', import.meta.url);
const [introduction = ''] = readFileSync(guide, 'utf8').split(/^## /m, 1);
writeFileSync(guide, introduction + settingsTables());
